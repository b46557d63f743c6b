import "../common/theme.css";
import "./view.css";
import { pageData } from "../common/data";
import { ViewPage } from "./page";
import type { ViewData } from "./view_data";

const page = new ViewPage(pageData<ViewData>());
page.open(document.getElementById("page")!);
