# SPDX-License-Identifier: MIT
"""Files of Blender (the module bpy), in the current directory, with the images of ../model. The scene has objects with
transforms, materials of the node Principled BSDF, and colors of vertices."""

from pathlib import Path

import bpy
from model import CORNERS, POINTS, SIDES

here = str(Path.cwd()) + "/"
bpy.ops.wm.read_factory_settings(use_empty=True)


def material(name, color, metallic, roughness, image="", opacity=1.0, emission=0.0, is_double=True):
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    made.use_backface_culling = not is_double
    node = made.node_tree.nodes["Principled BSDF"]
    node.inputs["Base Color"].default_value = (*color, 1)
    node.inputs["Metallic"].default_value = metallic
    node.inputs["Roughness"].default_value = roughness
    node.inputs["Alpha"].default_value = opacity
    if emission:
        node.inputs["Emission Color"].default_value = (1, 0.5, 0, 1)
        node.inputs["Emission Strength"].default_value = emission
    if image:
        texture = made.node_tree.nodes.new("ShaderNodeTexImage")
        texture.image = bpy.data.images.load(str(Path("../model", image).resolve()), check_existing=True)
        made.node_tree.links.new(texture.outputs["Color"], node.inputs["Base Color"])
    return made


def thing(name, faces, materials, place):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(POINTS, [], [[i - 1 for i in corners] for _, corners in faces])
    layer = mesh.uv_layers.new()
    for face in mesh.polygons:
        for i, loop in enumerate(face.loop_indices):
            layer.data[loop].uv = tuple(map(float, CORNERS[i].split()))
    for made in materials.values():
        mesh.materials.append(made)
    for face, (name_of, _) in zip(mesh.polygons, faces, strict=True):
        face.material_index = list(materials).index(name_of) if materials else 0
    made = bpy.data.objects.new(name, mesh)
    made.location = place
    bpy.context.collection.objects.link(made)
    return made


MATERIALS = {
    "dark wood": material("dark wood", (1, 1, 1), 0, 0.25, image="wood.png"),
    "stone": material("stone", (1, 1, 1), 0.5, 1, image="stone.png", is_double=False),
    "red": material("red", (0.75, 0.25, 0.125), 1, 0.5, emission=0.75),
    "green": material("green", (0.25, 0.75, 0.5), 0, 0.75, opacity=0.5),
}
box = thing("box", SIDES, MATERIALS, (0, 0, 0))
thing("panel", [("red", SIDES[0][1])], {"red": MATERIALS["red"]}, (0.5, -2, 1))
bpy.ops.export_scene.gltf(filepath=here + "scene.glb")
bpy.ops.export_scene.gltf(filepath=here + "scene.gltf", export_format="GLTF_SEPARATE")
bpy.ops.wm.obj_export(filepath=here + "scene.obj", path_mode="COPY")
bpy.ops.wm.obj_export(
    filepath=here + "pbr.obj", path_mode="COPY", export_pbr_extensions=True, export_triangulated_mesh=True
)
bpy.ops.wm.stl_export(filepath=here + "scene.stl")
bpy.ops.wm.ply_export(filepath=here + "scene.ply", export_triangulated_mesh=True)

# Colors of vertices, which these formats have without a material.
box.data.materials.clear()
layer = box.data.color_attributes.new("Color", "BYTE_COLOR", "POINT")
for i, one in enumerate(layer.data):
    one.color_srgb = (POINTS[i][0] / 1.5, i % 2, 0.2 * (i % 5), 1)
box.data.color_attributes.active_color = layer
bpy.ops.object.select_all(action="DESELECT")
box.select_set(True)
bpy.ops.wm.ply_export(
    filepath=here + "colors.ply", export_selected_objects=True, export_colors="SRGB", export_uv=False, ascii_format=True
)
bpy.ops.wm.obj_export(
    filepath=here + "colors.obj", export_selected_objects=True, export_colors=True, export_uv=False, export_materials=False
)
bpy.ops.export_scene.gltf(
    filepath=here + "colors.glb",
    use_selection=True,
    export_vertex_color="ACTIVE",
    export_materials="NONE",
    export_texcoords=False,
)
