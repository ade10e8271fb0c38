import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { dicomWebOf, objectAt, partsOf } from './dicomweb-under-test.ts';

let archive: ArchiveUnderTest;
let web: ReturnType<typeof dicomWebOf>;
const root = '2.25.85';
const cine = '2.25.86';
const [columns, rows] = [600, 400];
/** Neither black nor white anywhere, so that text and its edge differ from it. */
const slope = new Uint16Array(columns * rows).map((_, index) => 1_500 + (index % columns));
const series = `/studies/${root}.1/series/${root}.1.1`;
const instance = `${series}/instances/${root}.1.1.1`;
const window = 'window=2000,4000,linear-exact';

const patient = { PatientID: '19800101-1234', PatientName: 'Lindström^Åsa' };
const size = { Columns: columns, Rows: rows, PixelData: slope };
const exposed = { KVP: 70, XRayTubeCurrent: 8, Modality: 'PX', StudyDate: '20260102' };

beforeAll(async () => {
  archive = await archiveUnderTest({ dicomWeb: { publicUrl: 'https://images.example', origins: [] } });
  web = dicomWebOf(archive);
  const named = { firstName: 'Åsa', lastName: 'Lindström', personalNumber: '19800101-1234', birthDate: '1980-01-01' };
  await web.addPatient(named, [
    objectAt(root, { ...patient, ...size, ...exposed }),
    objectAt(root, { ...patient, ...size, ...exposed }, 2),
    objectAt(cine, { ...patient, Columns: 200, Rows: 200, NumberOfFrames: 2, PixelData: slope.slice(0, 80_000) }),
  ]);
});
afterAll(() => archive?.close());

interface Picture {
  readonly width: number;
  readonly height: number;
  readonly grey: Uint8Array;
}

const pixelsOf = async (bytes: Buffer): Promise<Picture> => {
  const { data, info } = await sharp(bytes).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  expect(info.channels).toBe(1);
  return { width: info.width, height: info.height, grey: data };
};
const picture = async (path: string, accept = 'image/png') => pixelsOf(await web.body(path, accept));

/** The smallest rectangle around all pixels that differ, with the extremes in it; null: none. */
const differenceOf = (one: Picture, other: Picture) => {
  expect([one.width, one.height]).toEqual([other.width, other.height]);
  const changed = [...one.grey.keys()].filter((at) => one.grey[at] !== other.grey[at]);
  if (changed.length === 0) return null;
  const [across, down] = [changed.map((at) => at % one.width), changed.map((at) => Math.floor(at / one.width))];
  const values = changed.map((at) => one.grey[at] ?? 0);
  return {
    left: Math.min(...across),
    right: Math.max(...across),
    top: Math.min(...down),
    bottom: Math.max(...down),
    darkest: Math.min(...values),
    brightest: Math.max(...values),
  };
};

describe('the annotation of a rendered image', () => {
  it('has the patient in the upper left corner, and changes no pixel outside of it', async () => {
    const plain = await picture(`${instance}/rendered?${window}`);
    const difference = differenceOf(await picture(`${instance}/rendered?${window}&annotation=patient`), plain);
    expect(difference).toMatchObject({ darkest: 0, brightest: 255 });
    expect(difference?.bottom).toBeLessThan(rows / 4);
    expect(difference?.right).toBeLessThan(columns / 2);
  });

  it('has the technique in the lower left corner', async () => {
    const plain = await picture(`${instance}/rendered?${window}`);
    const difference = differenceOf(await picture(`${instance}/rendered?${window}&annotation=technique`), plain);
    expect(difference).toMatchObject({ darkest: 0, brightest: 255 });
    expect(difference?.top).toBeGreaterThan((rows * 3) / 4);
    const both = await picture(`${instance}/rendered?${window}&annotation=technique,patient`);
    expect(differenceOf(both, plain)).toMatchObject({ top: expect.any(Number), bottom: difference?.bottom });
    expect(differenceOf(both, plain)?.top).toBeLessThan(rows / 4);
  });

  it.each(['300,200', '1200,800', '100,100'])('scales with a viewport of %s', async (viewport) => {
    const query = `${window}&viewport=${viewport}`;
    const plain = await picture(`${instance}/rendered?${query}`);
    const difference = differenceOf(await picture(`${instance}/rendered?${query}&annotation=patient`), plain);
    const tallest = Math.max(3 * 11 * 1.25 + 11, plain.height / 5);
    expect(difference?.bottom).toBeGreaterThan(plain.height / 10);
    expect(difference?.bottom).toBeLessThan(Math.min(tallest, plain.height / 2));
    expect(difference?.right).toBeLessThan(plain.width);
    expect(difference?.brightest).toBeGreaterThan(240);
  });

  it('differs by letters with diacritics, and shows the patient as the records have him', async () => {
    const path = `${instance}/rendered?${window}&annotation=patient`;
    const before = await picture(path);
    await archive.db.updateTable('patient').set({ first_name: 'Asa' }).where('first_name', '=', 'Åsa').execute();
    const renamed = differenceOf(await picture(path), before);
    await archive.db.updateTable('patient').set({ first_name: 'Åsa' }).where('first_name', '=', 'Asa').execute();
    // The ring of one letter in the first line.
    expect(renamed?.bottom).toBeLessThan(rows / 10);
    expect((renamed?.right ?? columns) - (renamed?.left ?? 0)).toBeLessThan(columns / 20);
    expect(differenceOf(await picture(path), before)).toBeNull();
  });

  it('is on each frame, and on each picture of a series and a study', async () => {
    const frame = `/studies/${cine}.1/series/${cine}.1.1/instances/${cine}.1.1.1/frames/2/rendered?${window}`;
    expect(differenceOf(await picture(`${frame}&annotation=patient`), await picture(frame))).not.toBeNull();
    for (const place of [series, `/studies/${root}.1`]) {
      const accept = 'multipart/related; type="image/png"';
      const plain = partsOf(await web.body(`${place}/rendered?${window}`, accept));
      const annotated = partsOf(await web.body(`${place}/rendered?${window}&annotation=technique`, accept));
      expect(annotated).toHaveLength(2);
      for (const [index, { body }] of annotated.entries())
        expect(differenceOf(await pixelsOf(body), await pixelsOf(plain[index]?.body ?? body))).not.toBeNull();
    }
  });

  it('is in a JPEG too, and in a picture of WADO-URI', async () => {
    const jpeg = `${instance}/rendered?${window}`;
    const difference = differenceOf(
      await picture(`${jpeg}&annotation=patient`, 'image/jpeg'),
      await picture(jpeg, 'image/jpeg'),
    );
    expect(difference?.bottom).toBeLessThan(rows / 4);
    const ids = `studyUID=${root}.1&seriesUID=${root}.1.1&objectUID=${root}.1.1.1`;
    const uri = `/wado?requestType=WADO&${ids}&contentType=image/png&windowCenter=2000&windowWidth=4000`;
    expect(differenceOf(await picture(`${uri}&annotation=patient`), await picture(uri))?.bottom).toBeLessThan(rows / 4);
  });

  it('ignores other values with a warning', async () => {
    const plain = await web.body(`${instance}/rendered?${window}`, 'image/png');
    const reply = await web.call(`${instance}/rendered?${window}&annotation=ruler,%22%0d`, {
      headers: { accept: 'image/png' },
    });
    const warning = `299 https://images.example/dicomweb/${archive.clinics.customerId}: The following annotation values are not supported: ruler`;
    expect([reply.status, reply.headers.get('warning')]).toEqual([200, warning]);
    expect(Buffer.from(await reply.arrayBuffer())).toEqual(plain);
    expect((await web.call(`${instance}/rendered?annotation=patient`)).headers.get('warning')).toBeNull();
    const mixed = await web.call(`${instance}/rendered?annotation=patient,ruler`);
    expect([mixed.status, mixed.headers.get('warning')]).toEqual([200, warning]);
  });

  it('is refused with the image, and noted in the access log as the image is', async () => {
    const stranger = { as: archive.clinics.otherDoctorId };
    expect((await web.call(`${instance}/rendered?annotation=patient`, stranger)).status).toBe(404);
    const countOf = async () => {
      const all = archive.db.selectFrom('access_log').select((the) => the.fn.countAll().as('count'));
      return Number((await all.where('action', '=', 'image.retrieved').executeTakeFirstOrThrow()).count);
    };
    const before = await countOf();
    await web.body(`${instance}/rendered?annotation=patient,technique`);
    expect(await countOf()).toBe(before + 1);
  });
});
