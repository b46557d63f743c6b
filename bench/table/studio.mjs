// How long the studio takes from a moved slider to the painted curves, in Chromium without a graphics
// processor:
//
//     node bench/table/studio.mjs COUNTERPOISE STUDY.json SLIDER
//
// moves SLIDER 200 times over its range, each as soon as the curves of the one before are painted, as
// a finger does, while the scene follows: by itself, then with exact springs at each step where the
// study sizes some. Prints the milliseconds from the input to
// the painted curves and their parts, the median and the 9th decile of each, then how long the map
// takes to its first picture and until it is whole. $CHROMIUM names the browser.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { basename, dirname } from "node:path";
import { createInterface } from "node:readline";

import { chromium } from "../../report/node_modules/playwright-core/index.mjs";

const [program, study, slider] = process.argv.slice(2);
if (!slider) {
  console.error("usage: node bench/table/studio.mjs COUNTERPOISE STUDY.json SLIDER");
  process.exit(2);
}

/** In the page: moves the slider over its range and returns what each move took, in ms. */
async function moves([name, count]) {
  const track = document.querySelector(`.slider input[type=range][aria-label="${name}"]`);
  const [low, high] = [Number(track.min), Number(track.max)];
  while (!window.counterpoise.idle) await new Promise((done) => setTimeout(done, 5));
  const found = [];
  for (let i = 0; i < count; ++i) {
    performance.clearResourceTimings();
    const value = low + ((high - low) * ((i * 77) % count)) / count;
    const { answers } = window.counterpoise;
    const begun = performance.now();
    track.value = value;
    track.dispatchEvent(new Event("input"));
    while (window.counterpoise.answers === answers) await new Promise((done) => setTimeout(done));
    const painted = window.counterpoise.painted;
    const entries = () => performance.getEntriesByType("resource").filter(
      ({ name, startTime }) => name.endsWith("/api/design") && startTime >= begun);
    while (entries().length === 0) await new Promise((done) => setTimeout(done));
    const [asked] = entries();
    const server = asked.serverTiming[0].duration;
    const wire = asked.responseEnd - asked.startTime - server;
    found.push({ "whole": painted - begun, server, wire, page: painted - begun - server - wire });
  }
  return found;
}

/** In the page: how long the map takes to its first picture and as a whole, in ms. */
async function map() {
  const begun = performance.now();
  document.querySelector(".where").scrollIntoView();
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  let first = null;
  for (;;) {
    await frame();
    const { done, whole, columns, rows } = window.counterpoise.map;
    if (first === null && done > 0) first = performance.now() - begun;
    if (whole) return { first, last: performance.now() - begun, columns, rows };
  }
}

const print = (words, found) => {
  console.log(words);
  for (const part of ["server", "wire", "page", "whole"]) {
    const sorted = found.map((move) => move[part]).sort((a, b) => a - b);
    const at = (share) => sorted[Math.floor(share * (sorted.length - 1))].toFixed(1).padStart(8);
    console.log(`  ${part.padEnd(8)}${at(0.5)}${at(0.9)}`);
  }
};

const server = spawn(program, ["studio", basename(study), "--no-browser"], { cwd: dirname(study), stdio: ["ignore", "pipe", "inherit"] });
const [address] = await once(createInterface({ input: server.stdout }), "line");
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-compositing"],
});
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
await page.goto(address);
await page.waitForFunction(() => window.counterpoise?.idle && window.counterpoise.frames > 0);

console.log(`ms after each move of ${slider}: median and 9th decile`);
const count = 200;
print("the springs as they are", await page.evaluate(moves, [slider, count]));
if (await page.locator(".sizing input").count()) {
  await page.click(".sizing input");
  print("the best springs of each", await page.evaluate(moves, [slider, count]));
}
const { first, last, columns, rows } = await page.evaluate(map);
console.log(`map of ${columns} by ${rows}: first picture after ${first.toFixed(0)} ms, whole after ${(last / 1000).toFixed(1)} s`);
await browser.close();
server.kill("SIGINT");
