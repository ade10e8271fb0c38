import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { PrintRequest } from '../../contract/print.ts';
import { pdfContents, pdfPages } from './pdf-text.ts';
import { printedPicture, printForm, printRequestOf, tinyPng } from './print-request.ts';
import { codeOf, printUnderTest } from './print-under-test.ts';

const bench = printUnderTest();
const { newPatient, entries } = bench;

const point = 72 / 25.4;

const print = (request: unknown, files?: readonly Uint8Array[], as?: string) =>
  bench.archive.call('/resource/image/print', {
    method: 'POST',
    body: printForm(request, files),
    ...(as === undefined ? {} : { as }),
  });

const printed = async (request: PrintRequest, files?: readonly Uint8Array[]): Promise<Buffer> => {
  const reply = await print(request, files ?? request.pictures.map(() => tinyPng));
  expect(reply.status, reply.status === 200 ? '' : await reply.text()).toBe(200);
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'cache-control': 'private, no-store',
    'content-disposition': 'attachment; filename="images.pdf"',
  });
  return Buffer.from(await reply.arrayBuffer());
};

/** Sizes of the pages and boxes of the pictures in millimetres, from the transformations that pdfkit writes. */
const boxesOf = (pdf: Buffer) =>
  pdfContents(pdf).map(({ mediaBox, content }) => ({
    page: mediaBox.map((length) => Math.round((length / point) * 10) / 10),
    pictures: [...content.matchAll(/([\d.-]+) 0 0 ([\d.-]+) ([\d.-]+) ([\d.-]+) cm\n\/I\d+ Do/g)].map((match) => ({
      width: Number(match[1]) / point,
      height: -Number(match[2]) / point,
      x: Number(match[3]) / point,
    })),
    lines: [...content.matchAll(/([\d.]+) ([\d.]+) m\n([\d.]+) ([\d.]+) l/g)].map((match) =>
      match.slice(1).map((length) => Number(length) / point),
    ),
  }));

describe('a print', () => {
  it('names clinic, patient, day, teeth, sides, scale, user and page, and that it is a copy', async () => {
    const { image } = await newPatient('Åsa', 'Ångström', 'PX');
    const id = await image({ acquired_at: '2024-05-06T07:08:09' });
    const picture = printedPicture(id, {
      spacing: { mmPerPixel: 0.1, source: 'detector' },
      processing: ['noise', 'inverted'],
    });
    const [page] = pdfPages(await printed(printRequestOf([picture])));
    const text = page?.join('\n');
    const clinic = await bench.archive.db
      .selectFrom('customer')
      .select('name')
      .where('id', '=', bench.archive.clinics.customerId)
      .executeTakeFirstOrThrow();
    expect(text).toContain(clinic.name);
    expect(text).toMatch(/Åsa Ångström, 19800101\d{4}/);
    expect(text).toContain('Exponerad 2024-05-06');
    expect(text).toMatch(/Skala \d+(,\d+)?:1 \(vid detektorn\)/);
    expect(text).toContain('Bildbehandling: brusfilter, inverterad');
    expect(text).toContain('Kopia, ej för diagnostik');
    expect(text).toMatch(/Utskriven \d{4}-\d{2}-\d{2} \d{2}:\d{2} av /);
    expect(text).toContain('Sida 1 av 1');
    expect(page?.filter((line) => line === 'H' || line === 'V')).toEqual(['H', 'V']);
  });

  it('leaves out the personal number when it is switched off', async () => {
    const { patient, image } = await newPatient();
    const request = printRequestOf([printedPicture(await image())], { withPersonalNumber: false });
    const pdf = await printed(request);
    const text = pdfPages(pdf).flat().join('\n');
    expect(text).toContain('Åsa Ångström');
    expect(text).not.toContain(patient.personalNumber);
    expect(pdf.toString('latin1')).not.toContain('ngstr');
  });

  it('names day and teeth at each image where the days differ', async () => {
    const { image } = await newPatient();
    const older = await image({ acquired_at: '2019-01-02', teeth: [16, 17] });
    const newer = await image({ acquired_at: '2025-01-02', chosen_teeth: [36], teeth: [46] });
    const [page] = pdfPages(await printed(printRequestOf([printedPicture(older), printedPicture(newer)])));
    expect(page).toContain('Exponerad 2019-01-02 · Tänder 16 17');
    expect(page).toContain('Exponerad 2025-01-02 · Tänder 36');
    // Both teeth of one side; the left side at the right.
    expect(page?.filter((line) => line === 'H' || line === 'V')).toEqual(['H', 'V']);
  });

  it('does not name the sides of a mirrored or turned image', async () => {
    const { image } = await newPatient('Åsa', 'Ångström', 'PX');
    const [page] = pdfPages(await printed(printRequestOf([printedPicture(await image(), { turned: true })])));
    expect(page?.filter((line) => line === 'H' || line === 'V')).toEqual([]);
  });

  it('prints in four languages', async () => {
    const { image } = await newPatient();
    const id = await image();
    const copies = [];
    for (const language of ['sv', 'en', 'da', 'no'] as const) {
      const text = pdfPages(await printed(printRequestOf([printedPicture(id)], { language }))).flat();
      copies.push(text.find((line) => /^(Kopia|Copy|Kopi),/.test(line)));
    }
    expect(copies).toEqual([
      'Kopia, ej för diagnostik',
      'Copy, not for diagnosis',
      'Kopi, ikke til diagnostik',
      'Kopi, ikke til diagnostikk',
    ]);
  });

  it('sets European names, and says where a character cannot be printed', async () => {
    const { image } = await newPatient('Łukasz Αλέξης', 'Straße-Иванов A\u030Aberg');
    const text = pdfPages(await printed(printRequestOf([printedPicture(await image())]))).flat();
    expect(text.join('\n')).toContain('Łukasz Αλέξης Straße-Иванов Åberg');
    expect(text.join('\n')).not.toContain('\uFFFD');
    const other = await newPatient('王 Anna', 'שלום');
    const replaced = pdfPages(await printed(printRequestOf([printedPicture(await other.image())]))).flat();
    expect(replaced.join('\n')).toContain('\uFFFD Anna \uFFFD\uFFFD\uFFFD\uFFFD');
    expect(replaced).toContain('\uFFFD står för ett tecken som inte kan skrivas ut.');
  });

  it('prints signed notes and logs their reading, but no drafts', async () => {
    const { patient, image } = await newPatient();
    const [signed, draft] = [await image({ teeth: [11] }), await image()];
    for (const [id, state, text] of [
      [signed, 'signed', 'Karies 11 mesialt'],
      [draft, 'draft', 'Oklart'],
    ] as const) {
      const body = { subject: 'image', id, state, text, version: 0 };
      const init = { method: 'PUT', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
      expect((await bench.archive.call('/resource/note', init)).status).toBe(200);
    }
    const request = printRequestOf([printedPicture(signed), printedPicture(draft)], { withNotes: true });
    const pages = pdfPages(await printed(request));
    expect(pages).toHaveLength(2);
    expect(pages[1]).toContain('Karies 11 mesialt');
    expect(pages.flat().join('\n')).not.toContain('Oklart');
    expect(pages.map((page) => page.at(-1))).toEqual(['Sida 1 av 2', 'Sida 2 av 2']);
    const opened = (await entries(patient.id)).filter(({ action }) => action === 'note.opened');
    expect(opened.map(({ object_id }) => object_id)).toEqual([signed]);
  });
});

describe('true size', () => {
  it('prints an image as large as its columns times their spacing, and a ruler of 50 mm', async () => {
    const { image } = await newPatient();
    const png = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#888888' } })
      .png()
      .toBuffer();
    const picture = printedPicture(await image(), {
      width: 1200,
      height: 800,
      spacing: { mmPerPixel: 0.0333, source: 'calibrated' },
    });
    const pdf = await printed(printRequestOf([picture], { scale: 'true-size' }), [png]);
    const [page] = boxesOf(pdf);
    expect(page?.page).toEqual([0, 0, 210, 297]);
    expect(page?.pictures).toHaveLength(1);
    expect(page?.pictures[0]?.width).toBeCloseTo(1200 * 0.0333, 3);
    expect(page?.pictures[0]?.height).toBeCloseTo(800 * 0.0333, 3);
    const rulers = page?.lines.filter(
      ([fromX = 0, fromY, toX = 0, toY]) => fromY === toY && Math.abs(toX - fromX - 50) < 0.001,
    );
    expect(rulers).toHaveLength(1);
    expect(pdfPages(pdf).flat()).toContain('Naturlig storlek 1:1 (kalibrerad)');
    expect(pdfPages(pdf).flat()).toContain('50 mm');
  });

  it('is rejected without a spacing, and when the image is larger than the paper', async () => {
    const { patient, image } = await newPatient();
    const id = await image();
    for (const spacing of [null, { mmPerPixel: 100, source: 'calibrated' as const }]) {
      const request = printRequestOf([printedPicture(id, { width: 20, height: 20, spacing })], { scale: 'true-size' });
      expect(await codeOf(await print(request))).toEqual([400, 'invalid-request']);
    }
    expect(await entries(patient.id)).toEqual([]);
  });
});

describe('the file', () => {
  it('claims PDF/A-2b, with embedded fonts, an sRGB output intent, and without scaling by the reader', async () => {
    const { image } = await newPatient();
    const pdf = (await printed(printRequestOf([printedPicture(await image())]))).toString('latin1');
    expect(pdf).toMatch(/<pdfaid:part>2<\/pdfaid:part>\s*<pdfaid:conformance>B<\/pdfaid:conformance>/);
    expect(pdf).toMatch(/\/Type \/OutputIntent\n\/S \/GTS_PDFA1/);
    expect(pdf).toMatch(/\/PrintScaling \/None/);
    expect(pdf).toMatch(/\/Lang \(sv\)/);
    const fonts = [...pdf.matchAll(/\/BaseFont \/(\S+)/g)].map(([, name]) => name);
    expect(fonts.length).toBeGreaterThan(0);
    expect(fonts.filter((name) => !/^[A-Z]{6}\+DejaVuSans/.test(name ?? ''))).toEqual([]);
    const descriptors = [...pdf.matchAll(/\/Type \/FontDescriptor[\s\S]*?endobj/g)];
    expect(descriptors.every(([text]) => /\/FontFile2 /.test(text))).toBe(true);
    expect(pdf).not.toMatch(/\/(SMask|Encrypt|JavaScript|Launch) /);
  });
});

describe('who and what', () => {
  it('logs each image once, with recipient and purpose, before the file is sent', async () => {
    const { patient, image } = await newPatient();
    const [one, two] = [await image(), await image()];
    const pictures = [printedPicture(one), printedPicture(two), printedPicture(one)];
    await printed(printRequestOf(pictures, { recipient: 'Käkkirurgen', purpose: 'remiss' }));
    const entry = {
      action: 'image.printed',
      account_id: bench.archive.clinics.doctorId,
      detail: 'Käkkirurgen: remiss',
    };
    expect(await entries(patient.id)).toEqual([one, two].map((object_id) => ({ ...entry, object_id })));
  });

  it('is not found, and logs nothing, when one image is of another clinic or patient is mixed', async () => {
    const { patient, image } = await newPatient();
    const id = await image();
    const request = printRequestOf([printedPicture(id), printedPicture(randomUUID())]);
    expect(await codeOf(await print(request, [tinyPng, tinyPng]))).toEqual([404, 'not-found']);
    const foreign = await print(printRequestOf([printedPicture(id)]), [tinyPng], bench.archive.clinics.otherDoctorId);
    expect(await codeOf(foreign)).toEqual([404, 'not-found']);
    const other = await (await newPatient()).image();
    const mixed = printRequestOf([printedPicture(id), printedPicture(other)]);
    expect(await codeOf(await print(mixed, [tinyPng, tinyPng]))).toEqual([400, 'invalid-request']);
    expect(await entries(patient.id)).toEqual([]);
  });

  it('rejects pictures that are no PNG or JPEG, damaged, of another shape, too few or too many', async () => {
    const { patient, image } = await newPatient();
    const request = printRequestOf([printedPicture(await image())]);
    const wide = await sharp({ create: { width: 90, height: 20, channels: 3, background: '#000' } })
      .png()
      .toBuffer();
    const webp = await sharp(tinyPng).webp().toBuffer();
    const broken = wide.subarray(0, 60);
    for (const bytes of [
      wide,
      webp,
      broken,
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="2" height="2"/>'),
    ])
      expect(await codeOf(await print(request, [bytes]))).toEqual([422, 'picture-not-readable']);
    for (const files of [[], [tinyPng, tinyPng]])
      expect(await codeOf(await print(request, files))).toEqual([400, 'invalid-request']);
    expect(await codeOf(await print({ ...request, paper: 'a0' }))).toEqual([400, 'invalid-request']);
    expect(await entries(patient.id)).toEqual([]);
  });

  it('accepts a JPEG, and makes a transparent PNG opaque', async () => {
    const { image } = await newPatient();
    const request = printRequestOf([printedPicture(await image())]);
    const jpeg = await sharp(tinyPng).jpeg().toBuffer();
    const clear = await sharp({ create: { width: 2, height: 2, channels: 4, background: '#ff000080' } })
      .png()
      .toBuffer();
    for (const bytes of [jpeg, clear])
      expect((await printed(request, [bytes])).toString('latin1')).not.toContain('/SMask');
  });
});
