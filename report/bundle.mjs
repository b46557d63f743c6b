// node bundle.mjs OUTPUT: bundles each page, that is each folder of src/ with a main.ts, into one HTML
// text without its data, and writes all of them as the C++ source that embeds them. A page loads
// nothing: its policy allows its own script and style by their hashes, pictures out of data, and no
// more. A still picture and the data of a page, as JSON, stand between three parts of the text.
import * as esbuild from "esbuild";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const delimiter = "~page~";

async function bundled(page) {
  const built = await esbuild.build({
    absWorkingDir: here,
    entryPoints: [`src/${page}/main.ts`],
    outdir: "out",
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: ["chrome110", "firefox110", "safari16"],
    legalComments: "none",
    logLevel: "warning",
  });
  const text = (suffix) => built.outputFiles.find((file) => file.path.endsWith(suffix))?.text ?? "";
  return { script: text(".js"), style: text(".css") };
}

function hashOf(text) {
  return `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;
}

/** Nothing in an inline text may end its element or be changed by a reader of HTML. */
function requireInert(page, kind, text) {
  const found = /<\/(script|style)|<!--|\r|\0/i.exec(text);
  if (found) throw new Error(`${page}: the ${kind} has ${JSON.stringify(found[0])} at ${found.index}`);
}

function partsOf(page, { script, style }) {
  requireInert(page, "script", script);
  requireInert(page, "style", style);
  const asks = page === "studio" ? "connect-src 'self'; " : ""; // the program that serves it
  const policy = `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}; ` +
    `img-src data:; ${asks}base-uri 'none'; form-action 'none'`;
  const head = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>Counterpoise</title>
<style>${style}</style>
</head>
<body>
<div id="still">`;
  const before = `</div>
<noscript>This page needs JavaScript, which is switched off, for more than its picture. It loads nothing from a network.</noscript>
<div id="page"></div>
<script type="application/json" id="data">`;
  const after = `</script>
<script>${script}</script>
</body>
</html>
`;
  return [head, before, after];
}

function literal(text) {
  if (text.includes(`)${delimiter}`)) throw new Error("a page has the delimiter of its literal");
  return `R"${delimiter}(${text})${delimiter}"`;
}

const output = process.argv[2];
const pages = readdirSync(join(here, "src")).sort()
  .filter((folder) => existsSync(join(here, "src", folder, "main.ts")));
let source = '#include "report/pages.hpp"\n\nnamespace counterpoise {\n\n' +
  "PageTemplate page_template(std::string_view name) {\n";
for (const page of pages) {
  const parts = partsOf(page, await bundled(page)).map(literal);
  source += `  if (name == "${page}")\n    return {${parts.join(",\n            ")}};\n`;
}
source += "  return {};\n}\n\n}  // namespace counterpoise\n";
writeFileSync(output, source);
