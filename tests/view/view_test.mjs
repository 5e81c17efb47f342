// SPDX-License-Identifier: MIT
// Pages of `polycodec view` in a browser: what they show, how they are used, and that nothing in a file can run.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { colorsOf, drawn, Files, launch, open, shot } from './browser.mjs';
import { house, houseMaterials, notation, squares, torus } from './inputs.mjs';

const evil = '</script><img src=x onerror=window.hacked=1>';
const files = new Files();

/** Elements that no part of a page may lack a name for those who do not see it. */
const unnamed = page => page.evaluate(() => [...document.querySelectorAll('img, canvas, button, select, input, [role=img], [tabindex="0"]')]
  .filter(element => !element.closest('.chart, [aria-hidden=true], .node'))
  .filter(element => !(element.getAttribute('aria-label') || element.alt || element.textContent.trim() || element.labels?.length || element.closest('[role=tree]')))
  .map(element => element.outerHTML.slice(0, 100)));

async function check(page, problems) {
  assert.deepEqual(problems, []);
  assert.deepEqual(await page.evaluate(() => window.violations), []);
  assert.deepEqual(await unnamed(page), []);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
}

describe('with WebGL', () => {
  let browser;
  before(async () => { browser = await launch(); });
  after(() => browser.close());

  test('a mesh is drawn, turned, and switched', async () => {
    const { page, problems } = await open(browser, files.page(files.add('torus.ply', torus(60, 30))));
    const first = await drawn(page);
    assert.ok(first.share > 0.1 && first.share < 0.9, `share ${first.share}`);
    assert.ok(first.colors > 200, `${first.colors} colors`);
    const turned = await drawn(page, 'ArrowLeft');
    assert.notEqual(turned.sum, first.sum);
    const near = await drawn(page, '+');
    assert.ok(near.share > turned.share);
    assert.equal((await drawn(page, 'r')).sum, first.sum, 'reset gives the first picture again');
    for (const key of ['w', 'n', 'v']) assert.notEqual((await drawn(page, key)).sum, first.sum, key);
    await page.locator('#mesh-color').selectOption('a:quality');
    await page.locator('#mesh-up').selectOption('y');
    await page.getByLabel('Surface').uncheck();
    assert.ok((await drawn(page)).share > 0, 'the wireframe stays');
    await shot(page, 'torus');
    await check(page, problems);
  });

  test('a drag turns the mesh, a click picks a face', async () => {
    const { page, problems } = await open(browser, files.page(files.add('pick.ply', torus(60, 30))));
    const canvas = page.locator('#mesh canvas');
    const box = await canvas.boundingBox();
    const before = await drawn(page);
    await page.mouse.move(box.x + 300, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(box.x + 380, box.y + 240, { steps: 4 });
    await page.mouse.up();
    assert.notEqual((await drawn(page)).sum, before.sum);
    assert.match(await page.locator('.picked').innerText(), /Choose a point/);
    await canvas.press('r');
    // Somewhere below the middle is the near side of the torus.
    for (let y = 0.55; y < 0.9 && !/Picked face/.test(await page.locator('.picked').innerText()); y += 0.05)
      await canvas.click({ position: { x: box.width / 2, y: box.height * y } });
    const picked = await page.locator('.picked').innerText();
    for (const part of ['Picked face', 'Face', 'Corners', 'Vertex', 'Position', 'Color', 'quality']) assert.ok(picked.includes(part), `${part} in ${picked}`);
    await check(page, problems);
  });

  test('materials, a texture and layers', async () => {
    files.add('house.mtl', houseMaterials);
    files.add('wood.png', squares(64, 8, [[200, 120, 60], [90, 50, 20]]));
    const { page, problems } = await open(browser, files.page(files.add('house.obj', house)), { colorScheme: 'dark' });
    await page.waitForFunction(() => document.querySelector('#mesh canvas').dataset.textures === '1');
    const all = await drawn(page);
    assert.ok(all.colors > 50, `${all.colors} colors`);
    const layer = page.locator('.layers').getByText('ground / floor');
    await layer.click();
    const without = await drawn(page);
    assert.ok(without.share < all.share * 0.8, `${without.share} of ${all.share}`);
    await layer.click();
    assert.equal((await drawn(page)).share, all.share);
    assert.equal(await page.locator('#mesh-up').inputValue(), 'y');
    await shot(page, 'house');
    await check(page, problems);
  });

  test('all of a mesh is in the picture at first, whichever axis is up', async () => {
    for (const tip of ['0 5 0', '5 0 0', '0 0 5', '5 5 5', '5 -5 5']) {
      const { page, problems } = await open(browser, files.page(files.add('pole.obj', `v 0 0 0\nv 0.1 0.1 0\nv 0 0.1 0.1\nv ${tip}\nf 1 2 4\nf 2 3 4\n`)));
      for (const up of ['y', 'z']) {
        await page.locator('#mesh-up').selectOption(up);
        const picture = await drawn(page);
        assert.ok(picture.share > 0 && picture.edge === 0, `${tip}, ${up} is up: ${JSON.stringify(picture)}`);
      }
      await check(page, problems);
      await page.close();
    }
  });

  test('points without faces', async () => {
    const points = Array.from({ length: 400 }, (_, i) => `${Math.sin(i)} ${Math.cos(i * 1.3)} ${i / 400} ${i % 256} 80 160\n`).join('');
    const { page, problems } = await open(browser, files.page(files.add('points.ply',
      `ply\nformat ascii 1.0\nelement vertex 400\n${['x', 'y', 'z'].map(name => `property float ${name}\n`).join('')}` +
      `${['red', 'green', 'blue'].map(name => `property uchar ${name}\n`).join('')}end_header\n${points}`)));
    assert.equal(await page.locator('#mesh h2').innerText(), 'Points');
    const picture = await drawn(page);
    assert.ok(picture.share > 0.005 && picture.colors > 20, JSON.stringify(picture));
    await check(page, problems);
  });

  test('a decimated mesh says so', async () => {
    const { page, problems } = await open(browser, files.page(files.add('large.ply', torus(400, 200)), '--max-size', '2'));
    assert.match(await page.locator('header .note').innerText(), /decimated: [\d]+ of 160000 triangles/);
    assert.ok((await drawn(page)).share > 0.1);
    await check(page, problems);
  });
});

describe('values', () => {
  let browser;
  before(async () => { browser = await launch(); });
  after(() => browser.close());

  test('the tree opens with keys and shows tables, lines and images', async () => {
    const { page, problems } = await open(browser, files.page(files.add('all.json', notation())));
    const tree = page.getByRole('tree');
    assert.equal(await tree.getByRole('treeitem').count(), 5);
    await tree.getByRole('treeitem').first().focus();
    await page.keyboard.press('ArrowDown');
    assert.match(await page.locator('.panel h3').innerText(), /\$\.course/);
    await page.locator('.panel .u-wrap canvas').first().waitFor();
    assert.ok(await colorsOf(page, '.panel .u-wrap canvas') > 3);
    await page.keyboard.press('ArrowRight');
    await tree.getByText('items are not in this page').first().waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowDown');
    assert.match(await page.locator('.panel h3').innerText(), /\$\.image/);
    await page.locator('.panel .image canvas').waitFor();
    await page.waitForFunction(() => document.querySelector('.panel .image canvas').getContext('2d').getImageData(1, 1, 1, 1).data[3] === 255);
    assert.ok(await colorsOf(page, '.panel .image canvas') > 50);
    await page.keyboard.press('ArrowDown');
    const table = page.locator('.panel .table');
    assert.match(await table.innerText(), /1,200 rows, 3 columns/);
    const scroller = table.locator('.scroller');
    await scroller.evaluate(element => { element.scrollTop = element.scrollHeight; });
    await table.getByText('row 1199').waitFor();
    assert.ok(await table.locator('tbody tr').count() < 100, 'only the rows in view are elements');
    await shot(page, 'values');
    await check(page, problems);
  });

  test('figures open, the map tells bytes, narrow and dark', async () => {
    const { page, problems } = await open(browser, files.page(files.add('map.ply', torus(30, 20))), { colorScheme: 'dark', viewport: { width: 400, height: 800 } });
    await page.locator('#columns button.link').first().click();
    await page.locator('#columns .detail .u-wrap canvas').first().waitFor();
    assert.equal(await page.locator('#columns svg.bars').count(), 8);
    const part = page.locator('#map .part').first();
    await part.focus();
    assert.match(await page.locator('#map [aria-live]').innerText(), /\$\.vertex\.x: bytes \d+ to [\d,]+/);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the screen');
    await shot(page, 'narrow');
    await check(page, problems);
  });

  test('hostile names and values stay text', async () => {
    const value = { [evil]: { 'a<b>&"\'': evil, list: [evil, '<!--<script>', { '</style><svg onload=window.hacked=1>': 1 }] }, rows: [1, 2].map(n => ({ [evil]: evil, n })), __proto: { constructor: evil } };
    const { page, problems } = await open(browser, files.page(files.add('hostile.json', JSON.stringify(value)), '--title', `</title>${evil}`));
    const closed = page.locator('.node[aria-expanded=false]');
    for (let i = 0; i < 12 && await closed.count() > 0; ++i) await closed.first().click();
    assert.ok(await page.locator('.node').count() > 12);
    assert.equal(await page.locator('img, svg:not(.bars), iframe, object').count(), 0);
    assert.equal(await page.title(), `</title>${evil} - polycodec`);
    assert.ok((await page.locator('.tree').innerText()).includes(evil));
    await check(page, problems);
  });

  test('hostile names of a mesh stay text', async () => {
    files.add('evil.mtl', `newmtl ${evil}\nKd 1 0 0\nmap_Kd ../../etc/passwd\n`);
    const { page, problems } = await open(browser, files.page(files.add('evil.obj',
      `mtllib evil.mtl\no ${evil}\nv 0 0 0\nv 1 0 0\nv 0 1 0\ng ${evil}\nusemtl ${evil}\nf 1 2 3\ng other${evil}\nf 1 3 2\n`)));
    await drawn(page, 'Enter');
    assert.ok((await page.locator('.layers').innerText()).includes(evil));
    assert.match(await page.locator('header .note').innerText(), /texture '\.\.\/\.\.\/etc\/passwd' is not shown: the file 'passwd' beside it is missing/);
    assert.equal(await page.locator('img').count(), 0);
    await check(page, problems);
  });

  test('the policy of the page forbids all other code and the network', async () => {
    const { page } = await open(browser, files.page(files.add('policy.json', '[1, 2]')));
    const violations = await page.evaluate(async () => {
      const script = document.createElement('script');
      try { script.text = 'window.hacked = 1'; } catch { window.violations.push('script refused'); }
      document.body.append(script);
      try { document.body.innerHTML = '<b>'; } catch { window.violations.push('markup refused'); }
      // In a task of its own, because a debugger may evaluate text.
      setTimeout(() => { try { (0, eval)('window.hacked = 1'); } catch { window.violations.push('eval refused'); } });
      await fetch('http://127.0.0.1:9/').catch(() => {});
      await new Promise(done => setTimeout(done, 100));
      return window.violations.join('\n');
    });
    for (const part of ['script refused', 'markup refused', 'eval refused', 'connect-src']) assert.ok(violations.includes(part), `${part} in ${violations}`);
    assert.equal(await page.evaluate(() => window.hacked), undefined);
  });
});

test('without WebGL there is a picture and the reason', async () => {
  const browser = await launch(false);
  try {
    const { page, problems } = await open(browser, files.page(files.add('flat.ply', torus(40, 20))));
    const picture = page.locator('.no-webgl img');
    await picture.waitFor();
    assert.deepEqual(await picture.evaluate(async image => { await image.decode(); return [image.naturalWidth, image.naturalHeight]; }), [720, 480]);
    assert.match(await picture.getAttribute('alt'), /800 positions, 1,600 faces/);
    assert.match(await page.locator('.no-webgl p').innerText(), /no WebGL \(.+\)/);
    await shot(page, 'without-webgl');
    await check(page, problems);
  } finally {
    await browser.close();
  }
});
