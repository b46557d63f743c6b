/** The colours of loads in maps: viridis of matplotlib (CC0) without its ends, which are too near to the
 * colours behind. Its lightness changes evenly, so it can be read by the colour-blind and in grey. More is
 * darker on light pages and brighter on dark ones. */
const viridis = ["#482475", "#414487", "#355f8d", "#2a788e", "#21918c", "#22a884", "#44bf70", "#7ad151", "#bddf26"];

export type Rgb = [number, number, number];
export const rgb = (text: string): Rgb => [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16)) as Rgb;

/** The colour of a share of the largest load, 0 to 1. */
export function shade(share: number, dark: boolean): Rgb {
  const place = (dark ? share : 1 - share) * (viridis.length - 1);
  const from = Math.min(Math.floor(place), viridis.length - 2);
  const [low, high] = [rgb(viridis[from]!), rgb(viridis[from + 1]!)];
  return [0, 1, 2].map((c) => Math.round(low[c]! + (place - from) * (high[c]! - low[c]!))) as Rgb;
}

/** A colour as the bits of a pixel: little-endian alpha, blue, green, red. */
export const ink = ([red, green, blue]: Rgb): number => ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
