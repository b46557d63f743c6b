import "../common/theme.css";
import "../view/view.css";
import "./studio.css";
import { pageData } from "../common/data";
import { StudioPage } from "./page";
import type { StudioData } from "./studio_data";

const page = new StudioPage(pageData<StudioData>());
void page.open(document.getElementById("page")!);
