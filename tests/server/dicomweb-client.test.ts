import { api } from 'dicomweb-client';
import { JSDOM } from 'jsdom';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { DicomJson } from '../../dicom/dicom-json.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { dicomWebOf, objectAt } from './dicomweb-under-test.ts';
import { quickTimes } from './receiving.ts';

const root = '2.25.97';
const studyInstanceUID = `${root}.1`;
const seriesInstanceUID = `${root}.1.1`;
const sopInstanceUID = `${root}.1.1.1`;
const series = { studyInstanceUID, seriesInstanceUID };
const instance = { ...series, sopInstanceUID };
const files = [1, 2].map((number) => Buffer.from(objectAt(root, {}, number)));

type Call<Reply> = (options?: object) => Promise<Reply>;
type Search = Call<DicomJson[]>;
type Pictures = Call<ArrayBuffer | ArrayBuffer[]>;
/** The types of the library require what its code takes as optional. */
interface Client {
  readonly searchForStudies: Search;
  readonly searchForSeries: Search;
  readonly searchForInstances: Search;
  readonly retrieveStudyMetadata: Search;
  readonly retrieveSeriesMetadata: Search;
  readonly retrieveInstanceMetadata: Search;
  readonly retrieveStudy: Call<ArrayBuffer[]>;
  readonly retrieveSeries: Call<ArrayBuffer[]>;
  readonly retrieveInstance: Call<ArrayBuffer>;
  readonly retrieveInstanceFrames: Call<ArrayBuffer[]>;
  readonly retrieveBulkData: Call<ArrayBuffer[]>;
  readonly retrieveInstanceRendered: Pictures;
  readonly retrieveInstanceThumbnail: Pictures;
  readonly retrieveInstanceFramesRendered: Pictures;
  readonly retrieveInstanceFramesThumbnail: Pictures;
  readonly storeInstances: Call<unknown>;
}

let archive: ArchiveUnderTest;
let client: Client;

/** A client of the clinic; without a token it is refused. */
const clientOf = (headers: object): Client => {
  const url = `${archive.url}/dicomweb/${archive.clinics.customerId}`;
  return new api.DICOMwebClient({ url, headers, singlepart: false, verbose: false }) as unknown as Client;
};

const bytesOf = (body = new ArrayBuffer(0)) => Buffer.from(new Uint8Array(body));
const bytesOfAll = (bodies: ArrayBuffer[]) => bodies.map(bytesOf).toSorted(Buffer.compare);
/** Replies of one part come in an array too. */
const isJpeg = (reply: ArrayBuffer | ArrayBuffer[]) =>
  [reply].flat().every((body) => bytesOf(body).subarray(0, 3).toString('hex') === 'ffd8ff');
const uidsOf = (found: unknown, tag: string) => (found as DicomJson[]).map((one) => one[tag]?.Value?.[0]).toSorted();

describe('The library dicomweb-client', () => {
  beforeAll(async () => {
    archive = await archiveUnderTest({ receivingTimes: quickTimes });
    await dicomWebOf(archive).addPatient(
      { firstName: 'Åsa', lastName: 'Lindström', personalNumber: '19800101-1234' },
      files,
    );
    // The library was written for browsers.
    vi.stubGlobal('XMLHttpRequest', new JSDOM('', { url: archive.url }).window.XMLHttpRequest);
    client = clientOf({ Authorization: `Bearer ${archive.clinics.doctorId}` });
  });
  afterAll(async () => {
    vi.unstubAllGlobals();
    await archive?.close();
  });

  it('searches for studies, series and instances', async () => {
    const queryParams = { PatientName: 'Lind*' };
    expect(uidsOf(await client.searchForStudies({ queryParams }), '0020000D')).toEqual([studyInstanceUID]);
    expect(uidsOf(await client.searchForSeries({ studyInstanceUID }), '0020000E')).toEqual([seriesInstanceUID]);
    expect(uidsOf(await client.searchForInstances(series), '00080018')).toEqual([`${root}.1.1.1`, `${root}.1.1.2`]);
  });

  it('finds no study with another name', async () => {
    expect(await client.searchForStudies({ queryParams: { PatientName: 'Berg*' } })).toEqual([]);
  });

  it('reads the metadata of a study, a series and an instance', async () => {
    const all = [`${root}.1.1.1`, `${root}.1.1.2`];
    expect(uidsOf(await client.retrieveStudyMetadata({ studyInstanceUID }), '00080018')).toEqual(all);
    expect(uidsOf(await client.retrieveSeriesMetadata(series), '00080018')).toEqual(all);
    expect(uidsOf(await client.retrieveInstanceMetadata(instance), '00080018')).toEqual([sopInstanceUID]);
  });

  it('fetches a study, a series and an instance byte for byte', async () => {
    const sent = files.toSorted(Buffer.compare);
    expect(bytesOfAll(await client.retrieveStudy({ studyInstanceUID }))).toEqual(sent);
    expect(bytesOfAll(await client.retrieveSeries(series))).toEqual(sent);
    expect(bytesOf(await client.retrieveInstance(instance))).toEqual(files[0]);
  });

  it('fetches a frame and the same pixels as bulk data', async () => {
    const [frame] = await client.retrieveInstanceFrames({ ...instance, frameNumbers: [1] });
    const [metadata] = await client.retrieveInstanceMetadata(instance);
    const { pathname } = new URL(metadata?.['7FE00010']?.BulkDataURI ?? '');
    const [bulk] = await client.retrieveBulkData({ BulkDataURI: `${archive.url}${pathname}` });
    expect(bytesOf(frame)).not.toHaveLength(0);
    expect(bytesOf(bulk)).toEqual(bytesOf(frame));
  });

  it('fetches pictures and thumbnails of an instance and of a frame', async () => {
    const frame = { ...instance, frameNumbers: [1] };
    const jpeg = { mediaTypes: [{ mediaType: 'image/jpeg' }] };
    expect(isJpeg(await client.retrieveInstanceRendered({ ...instance, ...jpeg }))).toBe(true);
    expect(isJpeg(await client.retrieveInstanceThumbnail({ ...instance, ...jpeg }))).toBe(true);
    expect(isJpeg(await client.retrieveInstanceFramesRendered({ ...frame, ...jpeg }))).toBe(true);
    expect(isJpeg(await client.retrieveInstanceFramesThumbnail({ ...frame, ...jpeg }))).toBe(true);
  });

  it('stores instances', async () => {
    const sent = objectAt('2.25.98');
    await client.storeInstances({ datasets: [Uint8Array.from(sent).buffer] });
    const stored = await archive.db
      .selectFrom('import_file')
      .innerJoin('import_task', 'import_task.id', 'import_file.task_id')
      .select('size_bytes')
      .where('source_study', '=', '2.25.98.1')
      .execute();
    expect(stored).toEqual([{ size_bytes: sent.byteLength }]);
  });

  it('fails with 401 without a token', async () => {
    await expect(clientOf({}).searchForStudies()).rejects.toMatchObject({ status: 401 });
  });
});
