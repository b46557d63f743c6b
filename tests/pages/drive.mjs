// node drive.mjs PLAYWRIGHT CHROMIUM: keeps one headless Chromium. Each line of its input is a job as
// JSON: a page (a file or an address), how it is opened, and steps. Each line of its output says of one job what the steps
// returned and everything that a page should not do, or the error that ended it.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const PATIENCE = 600_000;  // ms for anything that a page is waited for, on a machine however busy

// The processor puts pages together: it reads the scene's picture back, which its driver remarks on.
const READ_BACK = new RegExp("^\\[\\.WebGL-0x[0-9a-f]+\\]GL Driver Message \\(OpenGL, Performance, " +
  "GL_CLOSE_PATH_NV, High\\): GPU stall due to ReadPixels( \\(this message will no longer repeat\\))?$");

const [playwright, executablePath] = process.argv.slice(2);
const { chromium } = await import(pathToFileURL(playwright).href);
const browser = await chromium.launch({
  executablePath,
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic",
    "--disable-gpu-compositing", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});

/** Puts everything that a page should not do into a list. */
async function watch(page, address, wrong) {
  page.on("console", (message) => {
    if (!READ_BACK.test(message.text()))
      wrong.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => wrong.push(`error: ${error.stack}`));
  page.on("crash", () => wrong.push("crash"));
  page.on("dialog", (dialog) => {
    wrong.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const url = request.url().split("#")[0];
    const own = url === address || (address.startsWith("http:") && url.startsWith(new URL("/api/", address).href));
    if (!own && !url.startsWith("data:") && !url.startsWith("blob:"))
      wrong.push(`request: ${url}`);
  });
  await page.addInitScript(() => {
    window.violations = [];
    addEventListener("securitypolicyviolation", (event) =>
      window.violations.push(`${event.violatedDirective} ${event.blockedURI}`));
    addEventListener("error", (event) => window.violations.push(event.message)); // also what observers report
  });
}

/** Makes a browser one that has no WebGL. */
function withoutWebGL() {
  const all = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, ...options) {
    return kind.startsWith("webgl") ? null : all.call(this, kind, ...options);
  };
}

/** Waits until the page has drawn what a step changed, which it does before the next picture of the screen. */
const painted = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));

// The steps after which the next one finds the page as a user sees it.
const CHANGES = new Set(["choose", "click", "drag", "fill", "key", "press", "scheme", "viewport"]);

/** Numbers, or a code whose value they are, of places that only the page knows. */
const numbers = (page, given) => (typeof given === "string" ? page.evaluate(given) : given);

/** What a page says, or nothing where it is just being loaded again. */
const evaluated = (page, code) => page.evaluate(code).catch((error) => {
  if (!error.message.includes("context was destroyed")) throw error;
});

const actsOn = (page) => ({
  eval: (code) => page.evaluate(code),
  // the page's policy forbids it to evaluate texts itself
  wait: async (code) => {
    for (let tries = 0; tries < PATIENCE / 30; ++tries) {
      if (await evaluated(page, code)) return true;
      await page.waitForTimeout(30);
    }
    throw new Error(`waited in vain for ${code}`);
  },
  /** The same file anew, by an address with this behind it. */
  open: async (hash) => {
    const file = page.url().split("#")[0];
    await page.goto("about:blank");
    await page.goto(file + hash);
    await page.waitForFunction(() => window.counterpoise !== undefined);
  },
  key: (key) => page.keyboard.press(key),
  click: (selector) => page.click(selector),
  focus: (selector) => page.focus(selector),
  choose: ([selector, value]) => page.selectOption(selector, value),
  move: async (place) => page.mouse.move(...(await numbers(page, place))),
  press: async (place) => {
    const [x, y] = await numbers(page, place);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.up();
  },
  drag: async (places) => {
    const [x, y, toX, toY] = await numbers(page, places);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move((x + toX) / 2, (y + toY) / 2, { steps: 3 });
    await page.mouse.move(toX, toY, { steps: 3 });
    await page.mouse.up();
  },
  fill: async ([selector, text]) => {
    await page.fill(selector, text);
    await page.keyboard.press("Enter");
  },
  media: (media) => page.emulateMedia({ media }),
  scheme: (colorScheme) => page.emulateMedia({ colorScheme }),
  viewport: ([w, h]) => page.setViewportSize({ width: w, height: h }),
  picture: (path) => page.screenshot({ path }).then(() => true),
  pdf: (path) => page.pdf({ path, format: "A4", printBackground: true }).then(() => true),
  download: async (selector) => {
    const waiting = page.waitForEvent("download");
    await page.click(selector);
    const download = await waiting;
    return { name: download.suggestedFilename(), text: readFileSync(await download.path(), "latin1") };
  },
});

async function done({ page: file, hash = "", steps, width, height, scheme, scripts = true, webgl = true }) {
  // nothing of an earlier job is left in a context of its own
  const context = await browser.newContext({
    viewport: { width, height }, colorScheme: scheme, javaScriptEnabled: scripts });
  try {
    context.setDefaultTimeout(PATIENCE);
    const page = await context.newPage();
    page.on("dialog", (dialog) => dialog.accept());  // a page that has something to lose asks before it is left
    const address = file.startsWith("http:") ? file : pathToFileURL(file).href;
    const wrong = [];
    await watch(page, address, wrong);
    if (!webgl) await page.addInitScript(withoutWebGL);
    await page.goto(address + hash);
    if (scripts) await page.waitForFunction(() => window.counterpoise !== undefined);
    const acts = actsOn(page);
    const values = [];
    for (const [name, argument] of steps) {
      values.push((await acts[name](argument)) ?? null);
      if (scripts && CHANGES.has(name)) await evaluated(page, painted);
    }
    for (const violation of await page.evaluate(() => window.violations ?? []))
      wrong.push(`violation: ${violation}`);
    return { values, wrong };
  } catch (error) {
    return { error: String(error.stack) };
  } finally {
    await context.close();
  }
}

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(await done(JSON.parse(line)))}\n`);
await browser.close();
