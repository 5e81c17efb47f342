// SPDX-License-Identifier: MIT
// The rasterizer: where things are in the picture, what hides what, and what is left out.
#include "view/raster.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

namespace polycodec::cli {
namespace {

struct Pixel {
  int red, green, blue;
};

/// A picture of a scene.
class Picture {
 public:
  explicit Picture(const Scene& scene, const Camera& camera = {0, 0, Up::z}, std::size_t width = 60,
                   std::size_t height = 60) {
    Meter meter;
    image_ = draw(scene, camera, width, height, meter, &drawn);
  }
  Pixel at(std::size_t x, std::size_t y) const {
    const std::uint8_t* p = image_.pixels.data() + (y * image_.width + x) * 3;
    return {p[0], p[1], p[2]};
  }
  bool is_background(std::size_t x, std::size_t y) const {
    const Pixel p = at(x, y);
    return p.red == 250 && p.green == 250 && p.blue == 250;
  }
  std::size_t covered() const {
    std::size_t count = 0;
    for (std::size_t y = 0; y < image_.height; ++y)
      for (std::size_t x = 0; x < image_.width; ++x) count += is_background(x, y) ? 0 : 1;
    return count;
  }
  std::size_t colors() const {
    std::set<std::array<int, 3>> all;
    for (std::size_t y = 0; y < image_.height; ++y)
      for (std::size_t x = 0; x < image_.width; ++x)
        all.insert({at(x, y).red, at(x, y).green, at(x, y).blue});
    return all.size();
  }

  Drawn drawn;

 private:
  Image image_;
};

/// A square that faces the viewer at a distance: y is farther away.
void add_square(Scene& scene, double y, double size, std::int32_t material = -1) {
  const auto first = static_cast<std::uint32_t>(scene.positions.size());
  for (const auto& [x, z] : {std::pair{-size, -size}, {size, -size}, {size, size}, {-size, size}})
    scene.positions.push_back({x, y, z});
  scene.triangles.push_back({first, first + 1, first + 2});
  scene.triangles.push_back({first, first + 2, first + 3});
  scene.triangle_materials.insert(scene.triangle_materials.end(), 2, material);
}

Material plain(Color color, double opacity = 1) {
  return {.color = color, .opacity = opacity};
}

TEST(Draw, ASquareFillsThePictureButForAMargin) {
  Scene scene;
  add_square(scene, 0, 7e6);
  const Picture picture(scene);
  EXPECT_EQ(picture.covered(), 54u * 54u) << "nine tenths of each side, without gaps";
  EXPECT_TRUE(picture.is_background(1, 30));
  EXPECT_FALSE(picture.is_background(30, 30));
  EXPECT_EQ(picture.drawn.samples, 4 * 54u * 54u);
  const Picture wide(scene, {0, 0, Up::z}, 200, 60);
  EXPECT_EQ(wide.covered(), 54u * 54u) << "the shape stays";
}

TEST(Draw, TheAxisThatIsUpPointsUp) {
  for (const auto& [up, axis, sign] : {std::tuple{Up::x, 0u, 1},
                                       {Up::y, 1u, 1},
                                       {Up::z, 2u, 1},
                                       {Up::minus_x, 0u, -1},
                                       {Up::minus_y, 1u, -1},
                                       {Up::minus_z, 2u, -1}}) {
    Scene scene;
    scene.positions = {{0, 0, 0}, {0, 0, 0}};
    scene.positions[1][axis] = sign;
    scene.colors = {{0, 0, 255}, {255, 0, 0}};
    scene.points = {0, 1};
    const Picture picture(scene, {20, 10, up});
    bool red_above = false;
    bool blue_below = false;
    for (std::size_t x = 0; x < 60; ++x) {
      for (std::size_t y = 0; y < 20; ++y) red_above = red_above || picture.at(x, y).blue < 60;
      for (std::size_t y = 40; y < 60; ++y) blue_below = blue_below || picture.at(x, y).red < 60;
    }
    EXPECT_TRUE(red_above && blue_below) << static_cast<int>(up);
  }
}

TEST(Draw, YIsUpAndZTowardsTheViewer) {
  Scene scene;  // at a yaw of 0: x to the right, as programs for OBJ show it
  scene.positions = {{-1, 0, 0}, {1, 0, 0}, {0, 0, 1}};
  scene.colors = {{255, 0, 0}, {0, 0, 255}, {0, 255, 0}};
  scene.points = {0, 1, 2};
  const Picture picture(scene, {0, 30, Up::y});
  EXPECT_GT(picture.at(3, 22).red, 100) << "left";
  EXPECT_GT(picture.at(56, 22).blue, 100) << "right";
  const Picture front(scene, {0, 90, Up::y});
  EXPECT_LT(front.at(30, 43).red, 100) << "seen from above, what is nearer is lower";
}

TEST(Draw, WhatIsNearerHidesWhatIsFarther) {
  Scene scene;
  scene.materials = {plain({255, 0, 0}), plain({0, 0, 255})};
  add_square(scene, 0, 1, 0);
  add_square(scene, 5, 2, 1);
  const Picture picture(scene);
  EXPECT_GT(picture.at(30, 30).red, picture.at(30, 30).blue + 100);
  EXPECT_GT(picture.at(8, 8).blue, picture.at(8, 8).red + 100);
  const Picture behind(scene, {180, 0, Up::z});
  EXPECT_GT(behind.at(30, 30).blue, behind.at(30, 30).red + 100);
}

TEST(Draw, MaterialsMayBeTransparent) {
  Scene scene;
  scene.materials = {plain({255, 0, 0}, 0.5), plain({0, 0, 255}), plain({0, 255, 0}, 0)};
  add_square(scene, -5, 1, 2);
  add_square(scene, 0, 1, 0);
  add_square(scene, 5, 1, 1);
  const Picture picture(scene);
  const Pixel mixed = picture.at(30, 30);
  EXPECT_GT(mixed.red, 60);
  EXPECT_GT(mixed.blue, 60);
  EXPECT_LT(mixed.green, 60);
}

TEST(Draw, NormalsMakeASurfaceSmooth) {
  Scene scene;
  add_square(scene, 0, 1);
  const std::size_t flat = Picture(scene).colors();
  scene.normals = {{-0.6f, -0.6f, -0.5f}, {0.6f, -0.6f, -0.5f}, {0.6f, -0.6f, 0.5f}, {0, 0, 0}};
  scene.triangle_normals = {{0, 1, 2}, {0, 2, 3}};
  EXPECT_GT(Picture(scene).colors(), flat + 10);
  scene.triangle_normals = {{Scene::none, Scene::none, Scene::none}, {3, 3, 3}};
  EXPECT_EQ(Picture(scene).colors(), flat) << "without a normal, and with one of zero";
}

TEST(Draw, TexturesStandUpright) {
  Scene scene;
  scene.materials = {{.color = {0, 0, 0}, .texture = 0}};
  add_square(scene, 0, 1, 0);
  Texture::Level image{2, 2, {}};  // red and green above, blue and a hole below
  image.pixels = {{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {9, 9, 9, 0}};
  scene.textures.push_back({{image}});
  scene.texcoords = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  scene.triangle_texcoords = {{0, 1, 2}, {0, 2, 3}};
  const Picture picture(scene);
  EXPECT_GT(picture.at(17, 17).red, 130);
  EXPECT_GT(picture.at(43, 17).green, 130);
  EXPECT_GT(picture.at(17, 43).blue, 130);
  EXPECT_TRUE(picture.is_background(43, 43));
  scene.texcoords = {{2, 2}, {3, 2}, {3, 3}, {2, 3}};
  EXPECT_GT(Picture(scene).at(17, 17).red, 130) << "textures repeat";
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  scene.texcoords = {{nan, 0}, {1e38f, -1e38f}, {1, 1}, {0, 1}};
  EXPECT_GT(Picture(scene).covered(), 0u);
}

TEST(Draw, LinesAndPointsAreDrawnWithSurfaces) {
  Scene scene;
  scene.materials = {plain({250, 250, 0})};
  add_square(scene, 0, 1, 0);
  scene.lines = {{0, 2}};
  const Picture picture(scene);
  EXPECT_LT(picture.at(30, 30).red, 120) << "a line on the surface is before it";
  EXPECT_GT(picture.at(15, 30).red, 120);
  Scene points;
  points.positions = {{0, 0, 0}, {1, 0, 1}};
  points.points = {0, 1};
  const Picture dots(points);
  EXPECT_GT(dots.drawn.samples, 50u);
  EXPECT_FALSE(dots.is_background(3, 56));
  EXPECT_FALSE(dots.is_background(56, 3));
}

TEST(Draw, WhatIsNotFiniteIsLeftOutAndCounted) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Scene scene;
  scene.positions = {{0, 0, 0}, {1, 0, 0}, {nan, 0, 1}, {infinity, -infinity, 0}};
  scene.triangles = {{0, 1, 2}};
  scene.lines = {{0, 3}};
  scene.points = {2, 3};
  const Picture picture(scene);
  EXPECT_EQ(picture.drawn.left_out, 4u);
  EXPECT_EQ(picture.drawn.samples, 0u);
  EXPECT_EQ(picture.covered(), 0u);
  scene.points = {0};
  EXPECT_GT(Picture(scene).covered(), 0u);
}

TEST(Draw, ExtremesOfTheRangeOfNumbers) {
  constexpr double most = std::numeric_limits<double>::max();
  Scene scene;
  add_square(scene, 0, most);
  EXPECT_GT(Picture(scene).covered(), 2000u);
  Scene tiny;
  add_square(tiny, 0, 1e-300);
  EXPECT_GT(Picture(tiny).covered(), 2000u);
  Scene one;
  one.positions = {{5, 5, 5}};
  one.points = {0};
  EXPECT_GT(Picture(one).covered(), 0u);
  EXPECT_EQ(Picture(Scene{}).covered(), 0u);
  EXPECT_GT(Picture(scene, {0, 0, Up::z}, 1, 1).drawn.samples, 0u);
}

TEST(Draw, TrianglesThatAreSeenFromTheSideHaveNoArea) {
  Scene scene;
  add_square(scene, 0, 1);
  const Picture picture(scene, {90, 0, Up::z});
  EXPECT_EQ(picture.drawn.samples, 0u);
  EXPECT_LE(picture.drawn.edge_on, 2u);
}

TEST(Draw, UnusedPositionsDoNotShrinkThePicture) {
  Scene scene;
  add_square(scene, 0, 1);
  scene.positions.push_back({1000, 1000, 1000});
  EXPECT_EQ(Picture(scene).covered(), 54u * 54u);
}

TEST(Draw, EndsWhenTheCallIsCancelledOrHasNoBudget) {
  Scene scene;
  for (int i = 0; i < 50; ++i) add_square(scene, i, 1);
  const std::uint8_t cancelled = 1;
  const Registry registry = Registry::open({.flags = POLYCODEC_REGISTRY_NO_ENVIRONMENT});
  const auto draw_with = [&](const Limits& limits, const std::uint8_t* cancel) {
    Meter meter(Budget(registry, limits, cancel));
    try {
      (void)draw(scene, {0, 0, Up::z}, 500, 500, meter);
    } catch (const Error& error) {
      return error.code();
    }
    return Status::ok;
  };
  Limits few;
  few.max_work = 100'000'000;
  EXPECT_EQ(draw_with(few, nullptr), Status::ok);
  EXPECT_EQ(draw_with(few, &cancelled), Status::cancelled);
  few.max_work = 20'000'000;
  EXPECT_EQ(draw_with(few, nullptr), Status::limit);
}

}  // namespace
}  // namespace polycodec::cli
