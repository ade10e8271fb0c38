import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stateFile } from '../dicom/build-state.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { dicomWebOf, objectAt, partsOf } from './dicomweb-under-test.ts';

let archive: ArchiveUnderTest;
let web: ReturnType<typeof dicomWebOf>;

const [own, frames] = ['2.25.91', '2.25.92'];
const pixels = new Uint16Array(48).map((_, index) => index * 80);
const cine = new Uint16Array(144).map((_, index) => index * 20);
const identity = { PatientID: '19800101-1234', PatientName: 'Lindström^Åsa' };
const first = objectAt(own, { ...identity, PixelData: pixels });
const multiframe = objectAt(frames, { NumberOfFrames: 3, PixelData: cine });
const state = stateFile({ sopInstanceUid: `${own}.9`, studyUid: `${own}.1`, images: [[`${own}.1.1.1`]] });

beforeAll(async () => {
  archive = await archiveUnderTest();
  web = dicomWebOf(archive);
  const other = objectAt(own, { SeriesInstanceUID: `${own}.1.2`, SeriesNumber: 2 }, 3);
  await web.addPatient({ firstName: 'Åsa', lastName: 'Lindström', personalNumber: '19800101-1234' }, [
    first,
    objectAt(own, {}, 2),
    other,
    multiframe,
    state,
  ]);
});
afterAll(() => archive?.close());

const pixelsOf = async (bytes: Uint8Array) => {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  return {
    size: [info.width, info.height],
    grey: (x: number, y: number) => data[(y * info.width + x) * info.channels],
  };
};

describe('rendered images of a study or series', () => {
  it('are parts, one for each image, in the format that is accepted', async () => {
    for (const [path, count, accept, type] of [
      [`/studies/${own}.1`, 3, 'multipart/related; type="image/png"', 'image/png'],
      [`/studies/${own}.1/series/${own}.1.1`, 2, 'image/jpeg', 'image/jpeg'],
      [`/studies/${frames}.1`, 1, '*/*', 'image/jpeg'],
    ] as const) {
      const reply = await web.call(`${path}/rendered?viewport=4,4`, { headers: { accept } });
      expect(reply.headers.get('content-type')).toMatch(`multipart/related; type="${type}"`);
      const parts = partsOf(Buffer.from(await reply.arrayBuffer()));
      expect(parts.map(({ headers }) => headers['content-type'])).toEqual(Array.from({ length: count }, () => type));
      for (const { body } of parts) expect((await pixelsOf(body)).size).toEqual([4, 3]);
    }
  });

  it('are refused in another format', async () => {
    const headers = { accept: 'multipart/related; type="image/gif"' };
    expect((await web.call(`/studies/${own}.1/rendered`, { headers })).status).toBe(406);
  });
});

describe('WADO-URI', () => {
  const wado = (uid: string, more: Readonly<Record<string, string>> = {}, as?: string) => {
    const named = { studyUID: `${uid}.1`, seriesUID: `${uid}.1.1`, objectUID: `${uid}.1.1.1` };
    const query = new URLSearchParams({ requestType: 'WADO', ...named, ...more });
    return web.call(`/wado?${query}`, as === undefined ? {} : { as });
  };
  const bytesOf = async (reply: Response) => Buffer.from(await reply.arrayBuffer());

  it('sends one frame as a JPEG, and several frames as DICOM, unless another type is asked for', async () => {
    const typeOf = async (uid: string, more?: Readonly<Record<string, string>>) => {
      const reply = await wado(uid, more);
      return [reply.status, reply.headers.get('content-type')];
    };
    expect(await typeOf(own)).toEqual([200, 'image/jpeg']);
    expect(await typeOf(frames)).toEqual([200, 'application/dicom']);
    expect(await typeOf(own, { contentType: 'image/gif, image/png' })).toEqual([200, 'image/png']);
    const dicom = { contentType: 'application/dicom' };
    expect(await bytesOf(await wado(own, dicom))).toEqual(Buffer.from(first));
    expect(await bytesOf(await wado(own, { ...dicom, transferSyntax: '1.2.840.10008.1.2.1' }))).toEqual(
      Buffer.from(first),
    );
  });

  it('shows the frame, the window and the region that are asked for', async () => {
    const png = { contentType: 'image/png', windowCenter: '1500.5', windowWidth: '3001' };
    const third = await pixelsOf(await bytesOf(await wado(frames, { ...png, frameNumber: '3' })));
    expect(third.size).toEqual([8, 6]);
    expect(Math.abs((third.grey(0, 0) ?? 0) - ((cine[96] ?? 0) / 3000) * 255)).toBeLessThanOrEqual(1);
    const region = await pixelsOf(await bytesOf(await wado(frames, { ...png, region: '0.5,0.5,1,1' })));
    expect(region.size).toEqual([4, 3]);
    expect(Math.abs((region.grey(0, 0) ?? 0) - ((cine[28] ?? 0) / 3000) * 255)).toBeLessThanOrEqual(1);
    const sizeOf = async (more: Readonly<Record<string, string>>) =>
      (await pixelsOf(await bytesOf(await wado(own, { contentType: 'image/png', ...more })))).size;
    expect(await sizeOf({ rows: '12' })).toEqual([16, 12]);
    expect(await sizeOf({ columns: '16', rows: '100' })).toEqual([16, 12]);
    expect(await sizeOf({ columns: '2', region: '0,0,0.5,0.5' })).toEqual([2, 2]);
  });

  it.each([
    [{ requestType: 'XDS' }, 400],
    [{ anonymize: 'yes' }, 400],
    [{ windowCenter: '5' }, 400],
    [{ windowCenter: '5', windowWidth: '0' }, 400],
    [{ region: '0.5,0,0.5,1' }, 400],
    [{ region: '0,0,1.5,1' }, 400],
    [{ rows: '9000' }, 400],
    [{ frameNumber: '2' }, 404],
    [{ objectUID: '1.2.3' }, 404],
    [{ contentType: 'video/mpeg' }, 406],
    [{ contentType: 'application/dicom', transferSyntax: '1.2.840.10008.1.2.4.90' }, 406],
  ])('refuses %o with %i', async (more, status) => {
    expect((await wado(own, more)).status).toBe(status);
  });

  it('finds nothing of another clinic, and needs a token', async () => {
    expect((await wado(own, {}, archive.clinics.otherDoctorId)).status).toBe(404);
    const bare = await fetch(`${archive.url}/dicomweb/${archive.clinics.customerId}/wado?requestType=WADO`);
    expect(bare.status).toBe(401);
  });
});
