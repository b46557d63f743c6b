/** Finds the pictures that the program has drawn, by the names in their attribute data-still: the one that the page
 * shows before its scripts run, and further ones of its data, as HTML. */
export function takeStills(further = ""): Map<string, Element> {
  const place = document.getElementById("still");
  const parsed = new DOMParser().parseFromString(further, "text/html");
  const stills = new Map<string, Element>();
  for (const one of [place, parsed])
    for (const still of one?.querySelectorAll("[data-still]") ?? []) stills.set(still.getAttribute("data-still")!, still);
  place?.remove();
  return stills;
}
