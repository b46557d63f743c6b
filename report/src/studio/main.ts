import "../common/theme.css";
import "../view/view.css";
import "./studio.css";
import { add, h } from "../common/dom";
import { pageData } from "../common/data";
import { Files } from "./files";
import { StudioPage } from "./page";
import { Server } from "./server";
import type { Beginning } from "./studio_data";

/** Opens what the address names behind "#", or else what the studio was started with. */
async function begin(): Promise<void> {
  const place = document.getElementById("page")!;
  const first = pageData<Beginning>();
  const server = new Server();
  const named = decodeURIComponent(location.hash.slice(1));
  const file = named === "" ? first.file : named;
  addEventListener("hashchange", () => location.replace(server.address(location.hash)));
  const files = new Files(server, file);
  await files.look();
  try {
    const data = { ...(await server.open(file, named === "" ? first.case : undefined)), program: first.program };
    files.show(data.file);
    await new StudioPage(data, server, files).open(place);
  } catch (error) {
    add(place, h("header", {}, h("div", { class: "head" }, h("h1", {}, "studio"), files.element)),
      h("div", { class: "alert", role: "alert" }, String((error as Error).message)));
  }
}

void begin();
