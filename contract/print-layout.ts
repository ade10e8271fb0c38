import type { Paper, PrintedPicture, PrintScale } from './print.ts';

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
/** Box on paper, in millimetres from the top left corner of the page. */
export type BoxMm = Box;

/** Short and long side of a sheet in millimetres. */
const sheets: Readonly<Record<Paper, readonly [number, number]>> = {
  a4: [210, 297],
  a3: [297, 420],
  letter: [215.9, 279.4],
};

/** Margins and regions of a page in millimetres. */
export const pageMm = { margin: 10, header: 21, footer: 8, ruler: 10, caption: 6.5, gap: 2 } as const;
/** Length of the printed ruler in millimetres. */
export const rulerMm = 50;

export interface LayoutRequest {
  readonly paper: Paper;
  readonly scale: PrintScale;
  /** Size of the mount in its own units; null for images side by side. */
  readonly mount: { readonly width: number; readonly height: number } | null;
  /** `slot`: its place in the units of the mount; null without a mount. */
  readonly pictures: readonly (Pick<PrintedPicture, 'width' | 'height' | 'spacing'> & {
    readonly slot: Box | null;
  })[];
}

export interface PlacedPicture {
  /** Index in the request. */
  readonly index: number;
  readonly picture: BoxMm;
  /** Box of the text below the picture. */
  readonly caption: BoxMm;
}

export interface PrintLayout {
  readonly widthMm: number;
  readonly heightMm: number;
  /** Region of the pictures. */
  readonly content: BoxMm;
  readonly pages: readonly (readonly PlacedPicture[])[];
}

/** Why there is no layout: an image without a pixel spacing, or too large for the paper at true size. */
export type LayoutProblem = 'no-spacing' | 'too-large';

interface Size {
  readonly width: number;
  readonly height: number;
}

const trueSize = ({ width, height, spacing }: LayoutRequest['pictures'][number]): Size => ({
  width: width * (spacing?.mmPerPixel ?? 0),
  height: height * (spacing?.mmPerPixel ?? 0),
});

const sizeIn = (picture: Size, available: Size): Size => {
  const scale = Math.max(0, Math.min(available.width / picture.width, available.height / picture.height));
  return { width: picture.width * scale, height: picture.height * scale };
};

/** Centres a picture of `size` in a cell, with its caption directly below. */
const placedIn = (index: number, cell: BoxMm, size: Size): PlacedPicture => {
  const { gap, caption } = pageMm;
  const x = cell.x + (cell.width - size.width) / 2;
  const y = cell.y + Math.max(0, (cell.height - caption - size.height) / 2);
  return {
    index,
    picture: { x, y, ...size },
    caption: { x: cell.x + gap / 2, y: y + size.height, width: cell.width - gap, height: caption },
  };
};

const pictureAreaOf = ({ width, height }: Size): Size => ({
  width: width - pageMm.gap,
  height: height - pageMm.caption - pageMm.gap,
});

const cellsOf = (slots: readonly (Box | null)[], content: BoxMm, mount: Size, mmPerUnit: number) => {
  const left = content.x + (content.width - mount.width * mmPerUnit) / 2;
  const top = content.y + (content.height - mount.height * mmPerUnit) / 2;
  return slots.map((slot) => ({
    x: left + (slot?.x ?? 0) * mmPerUnit,
    y: top + (slot?.y ?? 0) * mmPerUnit,
    width: (slot?.width ?? mount.width) * mmPerUnit,
    height: (slot?.height ?? mount.height) * mmPerUnit,
  }));
};

const layoutOfMount = ({ pictures, scale }: LayoutRequest, mount: Size, content: BoxMm): PlacedPicture[] | null => {
  const largest = Math.min(content.width / mount.width, content.height / mount.height);
  const requiredMmPerUnit = pictures.map((picture) => {
    const { width, height } = trueSize(picture);
    const slot = picture.slot ?? mount;
    return Math.max((width + pageMm.gap) / slot.width, (height + pageMm.caption + pageMm.gap) / slot.height);
  });
  const mmPerUnit = scale === 'fit' ? largest : Math.max(...requiredMmPerUnit);
  if (mmPerUnit > largest * (1 + 1e-9)) return null;
  const cells = cellsOf(
    pictures.map(({ slot }) => slot),
    content,
    mount,
    mmPerUnit,
  );
  return pictures.flatMap((picture, index) => {
    const cell = cells[index];
    return cell
      ? [placedIn(index, cell, scale === 'fit' ? sizeIn(picture, pictureAreaOf(cell)) : trueSize(picture))]
      : [];
  });
};

/** Places pictures row by row in `columns` columns; null when one does not fit at true size. */
const layoutInColumns = (
  { pictures, scale }: LayoutRequest,
  columns: number,
  content: BoxMm,
): PlacedPicture[] | null => {
  const rows = Math.ceil(pictures.length / columns);
  const cell = { width: content.width / columns, height: content.height / rows };
  const available = pictureAreaOf(cell);
  const sizes = pictures.map((picture) => (scale === 'fit' ? sizeIn(picture, available) : trueSize(picture)));
  if (sizes.some(({ width, height }) => width > available.width + 1e-6 || height > available.height + 1e-6))
    return null;
  return sizes.map((size, index) => {
    const [column, row] = [index % columns, Math.floor(index / columns)];
    return placedIn(index, { x: content.x + column * cell.width, y: content.y + row * cell.height, ...cell }, size);
  });
};

/** Rounding errors of less than 0.1 % do not decide between layouts. */
const areaTolerance = 1.001;

const areaOf = (placed: readonly PlacedPicture[]): number =>
  placed.reduce((sum, { picture }) => sum + picture.width * picture.height, 0);

/** Returns the layout with the largest total image area; at equal area (always at true size), the one with the most columns. */
const layoutWithoutMount = (request: LayoutRequest, content: BoxMm): PlacedPicture[] | null =>
  request.pictures
    .map((_, index) => layoutInColumns(request, request.pictures.length - index, content))
    .reduce<PlacedPicture[] | null>(
      (best, next) => (next && (!best || areaOf(next) > areaOf(best) * areaTolerance) ? next : best),
      null,
    );

const contentOf = ([widthMm, heightMm]: readonly [number, number], scale: PrintScale): BoxMm => {
  const { margin, header, footer, ruler } = pageMm;
  const below = margin + footer + (scale === 'true-size' ? ruler : 0);
  return { x: margin, y: margin + header, width: widthMm - 2 * margin, height: heightMm - margin - header - below };
};

/** One page for each picture; null when one does not fit. */
const onePerPage = (request: LayoutRequest, content: BoxMm): (readonly PlacedPicture[])[] | null => {
  const pages = request.pictures.map((picture, index) =>
    layoutInColumns({ ...request, pictures: [picture] }, 1, content)?.map((placed) => ({ ...placed, index })),
  );
  return pages.every((page) => page !== undefined) ? pages : null;
};

/**
 * Returns the layout in portrait or landscape, whichever shows the pictures larger. At true size, pictures without a mount may take one page
 * each; a mount always takes one page.
 */
export const layoutOf = (request: LayoutRequest): PrintLayout | { readonly problem: LayoutProblem } => {
  const { paper, scale, mount, pictures } = request;
  if (scale === 'true-size' && pictures.some(({ spacing }) => spacing === null)) return { problem: 'no-spacing' };
  const [short, long] = sheets[paper];
  const orientations = (
    [
      [short, long],
      [long, short],
    ] as const
  ).map((sheet) => ({ sheet, content: contentOf(sheet, scale) }));
  const onePageLayouts = orientations.flatMap(({ sheet, content }) => {
    const placed = mount ? layoutOfMount(request, mount, content) : layoutWithoutMount(request, content);
    return placed ? [{ sheet, content, pages: [placed], area: areaOf(placed) }] : [];
  });
  const onePerPageLayouts =
    onePageLayouts.length > 0 || mount
      ? []
      : orientations.flatMap(({ sheet, content }) => {
          const pages = onePerPage(request, content);
          return pages ? [{ sheet, content, pages, area: 0 }] : [];
        });
  const [first, second] = [...onePageLayouts, ...onePerPageLayouts];
  if (!first) return { problem: 'too-large' };
  const { sheet, content, pages } = second && second.area > first.area * areaTolerance ? second : first;
  return { widthMm: sheet[0], heightMm: sheet[1], content, pages };
};
