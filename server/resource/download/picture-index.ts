import { DicomProblem } from '../../../dicom/problem.ts';
import { patientsByIds } from '../../db/stores/named-patients.ts';
import type { TextLanguage } from '../../domain/locale-text.ts';
import type { Pace } from '../../storage/file-store.ts';
import type { ZippedFile } from '../../storage/zip-files.ts';
import { escapeHtml } from '../../web/escape-html.ts';
import type { ResourceDependencies } from '../dependencies.ts';
import { type PrintTexts, printTexts } from '../print/print-texts.ts';
import { exposureDay, fileOf, type SentImage } from './gathered.ts';

/** Pixels of the longer edge of a picture, which a screen shows whole. */
const edge = 1600;

interface Shown {
  readonly row: SentImage;
  /** The file of its picture; null when it could not be drawn. */
  readonly picture: string | null;
}

const style = `body{margin:2rem;background:#111;color:#eee;font:1rem system-ui,sans-serif}a{color:#9cf}
h1{font-size:1.4rem}h2{font-size:1.1rem}section{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0;width:20rem}
img{display:block;width:100%;height:15rem;object-fit:contain;background:#000}figcaption{padding:.3rem 0}`;

const figure = ({ row, picture }: Shown, texts: PrintTexts): string => {
  const teeth = row.teeth.length > 0 ? texts.text('teeth', { teeth: row.teeth.join(', ') }) : '';
  const caption = escapeHtml([row.modality, teeth].filter(Boolean).join(' · '));
  const shown = picture
    ? `<a href="${picture}"><img src="${picture}" alt="${caption}" loading="lazy"></a>`
    : `<p>${escapeHtml(texts.text('notDrawn'))}</p>`;
  return `<figure>${shown}<figcaption>${caption}<br><a href="${row.zipName}">${row.zipName}</a></figcaption></figure>`;
};

const page = (heading: string, shown: readonly Shown[], texts: PrintTexts): string => {
  const days = [...Map.groupBy(shown, ({ row }) => exposureDay(row) ?? '')].toSorted(([one], [other]) =>
    other.localeCompare(one),
  );
  const sections = days.map(([day, images]) => {
    const title = day === '' ? texts.text('exposureUnknown') : texts.text('exposed', { day });
    return `<h2>${escapeHtml(title)}</h2><section>${images.map((image) => figure(image, texts)).join('\n')}</section>`;
  });
  return `<h1>${escapeHtml(heading)}</h1>\n${sections.join('\n')}`;
};

/**
 * Returns `INDEX.HTM`, which shows the images of a medium in any browser, by patient and day, and a JPEG of each as `PICTURES/IM000001.JPG`.
 * Pictures have the window of their file.
 */
export const pictureIndex = async (
  { db, storedImaging }: Pick<ResourceDependencies, 'db' | 'storedImaging'>,
  sent: readonly SentImage[],
  language: TextLanguage,
  pace: Pace,
): Promise<readonly ZippedFile[]> => {
  const texts = printTexts(language);
  const pictures = new Map<string, ZippedFile>();
  const pictureOf = async ({ sha256, zipName, created_at }: SentImage): Promise<string | null> => {
    await pace(0);
    const name = `PICTURES/${zipName.split('/').at(-1)}.JPG`;
    if (pictures.has(name)) return name;
    const viewport = { width: edge, height: edge, source: null };
    const options = { frame: 0, format: 'jpeg' as const, quality: 85, window: null, viewport, annotation: null };
    try {
      const bytes = await storedImaging.renderedFrame(sha256, options, 'waited-for');
      pictures.set(name, fileOf(name, bytes, created_at));
      return name;
    } catch (problem) {
      if (problem instanceof DicomProblem) return null;
      throw problem;
    }
  };
  const patients = await patientsByIds(db, [...new Set(sent.map(({ patient_id }) => patient_id))]);
  const pages: string[] = [];
  for (const { id, first_name, last_name, personal_number } of patients) {
    const shown: Shown[] = [];
    for (const row of sent.filter(({ patient_id }) => patient_id === id))
      shown.push({ row, picture: await pictureOf(row) });
    pages.push(page(`${last_name}, ${first_name} ${personal_number}`, shown, texts));
  }
  const title = escapeHtml(texts.text('documentTitle'));
  const html = `<!doctype html><html lang="${texts.language}"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width"><style>${style}</style></head>
<body><p>${escapeHtml(texts.text('copy'))}</p>${pages.join('\n')}</body></html>\n`;
  return [fileOf('INDEX.HTM', Buffer.from(html), new Date()), ...pictures.values()];
};
