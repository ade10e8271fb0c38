import { BufferSource, Input, MP4 } from 'mediabunny';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readDicomFile } from '../../dicom/file.ts';
import { tags } from '../../dicom/tags.ts';
import { openVideo } from '../../server/dicom/video-file.ts';
import { buildVideo } from '../dicom/build-video.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { smallObject } from './small-object.ts';

const avcHighLevel41 = '1.2.840.10008.1.2.4.102';
const takenAt = new Date('2026-03-01');

let archive: ArchiveUnderTest;
let patientId: string;
let stream: Uint8Array;
const ids: Record<string, string> = {};

const videoObject = (uid: string, frames: readonly Uint8Array[], transferSyntax = avcHighLevel41) =>
  smallObject({ SOPInstanceUID: uid, NumberOfFrames: 10, PixelData: { frames } }, transferSyntax);

beforeAll(async () => {
  archive = await archiveUnderTest();
  patientId = await archive.addPatient();
  stream = await buildVideo({ container: 'ts' });
  const done = await archive.importAll(patientId, {
    'camera.mp4': await buildVideo({ withSound: 'aac' }),
    'telephone.mov': await buildVideo({ container: 'mov', rotation: 90, takenAt, profile: 100, level: 42 }),
    'stream.dcm': videoObject('2.25.8001', [stream.subarray(0, 18_800), stream.subarray(18_800)]),
    'no-container.dcm': videoObject('2.25.8002', [new Uint8Array(5000)]),
    'mpeg-2.dcm': videoObject('2.25.8003', [stream], '1.2.840.10008.1.2.4.100'),
    'radiograph.dcm': smallObject({ SOPInstanceUID: '2.25.8004' }),
  });
  expect(done.files.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 'imported'));
  for (const { fileName, imageUid } of done.files) ids[fileName] = imageUid ?? '';
});
afterAll(() => archive.close());

const videoOf = (name: string, as?: string) =>
  archive.call(`/resource/image/document?imageUID=${ids[name]}`, as === undefined ? {} : { as });

const playedOf = async (name: string) => {
  const reply = await videoOf(name);
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toBe('video/mp4');
  expect(reply.headers.get('cache-control')).toBe('private, no-store');
  const bytes = new Uint8Array(await reply.arrayBuffer());
  const input = new Input({ formats: [MP4], source: new BufferSource(bytes) });
  const track = await input.getPrimaryVideoTrack();
  const { packetCount, averagePacketRate } = (await track?.computePacketStats()) ?? {};
  const tracks = (await input.getTracks()).map(({ codec }) => codec);
  const size = [await track?.getCodedWidth(), await track?.getCodedHeight(), await track?.getRotation()];
  return { bytes, tracks, size, packetCount, averagePacketRate, metadata: await input.getMetadataTags() };
};

const rowOf = (name: string) =>
  archive.db
    .selectFrom('image')
    .selectAll()
    .where('id', '=', ids[name] ?? '')
    .executeTakeFirstOrThrow();

it('a dropped video is played with all frames and its sound', async () => {
  expect(await playedOf('camera.mp4')).toMatchObject({
    tracks: ['avc', 'aac'],
    size: [64, 48, 0],
    packetCount: 10,
    averagePacketRate: 10,
  });
});

it('the object of a video is a photographic video of its codec, and the file remains the original', async () => {
  const row = await rowOf('camera.mp4');
  expect(row).toMatchObject({ kind: 'document', source: 'picture', compression: 'lossy', frames: 10, columns: 64 });
  expect(await archive.archive.files.sizeOf(row.original_sha256 ?? '')).toBe(
    (await buildVideo({ withSound: 'aac' })).length,
  );
  const reply = await archive.call(`/resource/viewset/get_image?imageUID=${row.id}`);
  const { dataSet, transferSyntaxUid } = readDicomFile(new Uint8Array(await reply.arrayBuffer()));
  expect(transferSyntaxUid).toBe(avcHighLevel41);
  expect(dataSet.code(tags.sopClassUid)).toBe('1.2.840.10008.5.1.4.1.1.77.1.4.1');
  expect(dataSet.code(tags.photometricInterpretation)).toBe('YBR_PARTIAL_420');
  expect(dataSet.code(tags.modality)).toBe('XC');
});

it('the video of a telephone stays upright, has its date and loses what else the file says', async () => {
  const { size, packetCount, metadata } = await playedOf('telephone.mov');
  expect([size, packetCount, metadata]).toEqual([[64, 48, 90], 10, {}]);
  expect(await rowOf('telephone.mov')).toMatchObject({
    acquired_at: '2026-03-01',
    transfer_syntax: '1.2.840.10008.1.2.4.104',
  });
});

it('a DICOM video in a transport stream of several fragments is played as MP4', async () => {
  expect(await playedOf('stream.dcm')).toMatchObject({ tracks: ['avc'], packetCount: 10 });
});

it.each(['no-container.dcm', 'mpeg-2.dcm', 'radiograph.dcm'])('%s has no video that browsers play', async (name) => {
  expect((await videoOf(name)).status).toBe(422);
});

it('a study names its videos', async () => {
  const studies = await (await archive.call(`/resource/study/bypatient/${patientId}`)).json();
  const images: { uid: string; isVideo: boolean }[] = studies.data.flatMap(
    ({ series }: { series: { images: { uid: string; isVideo: boolean }[] }[] }) => series.flatMap((one) => one.images),
  );
  const nameOf = (uid: string) => Object.keys(ids).find((name) => ids[name] === uid);
  expect(
    images
      .filter(({ isVideo }) => isVideo)
      .map(({ uid }) => nameOf(uid))
      .sort(),
  ).toEqual(['camera.mp4', 'no-container.dcm', 'stream.dcm', 'telephone.mov']);
});

it('users of another clinic do not find a video', async () => {
  expect((await videoOf('camera.mp4', archive.clinics.otherDoctorId)).status).toBe(404);
});

it.each([
  ['H.264 level 4.1', { profile: 100, level: 41 }, '102', 8],
  ['H.264 level 4.2', { profile: 77, level: 42 }, '104', 8],
  ['HEVC Main', { codec: 'hevc', profile: 1, level: 120 }, '107', 8],
  ['HEVC Main 10', { codec: 'hevc', profile: 2, level: 153 }, '108', 10],
] as const)('%s has its own transfer syntax', async (_, options, end, bitsStored) => {
  const { coding } = await openVideo(await buildVideo(options));
  expect(coding).toMatchObject({ transferSyntaxUid: `1.2.840.10008.1.2.4.${end}`, bitsStored });
});

describe('refuses', () => {
  it.each([
    ['a file that was cut off', async () => (await buildVideo()).subarray(0, 30_000), 'truncated'],
    ['VP9', () => buildVideo({ codec: 'vp9' }), 'video-unsupported'],
    ['a level above those of DICOM', () => buildVideo({ level: 51 }), 'video-unsupported'],
    ['HEVC above level 5.1', () => buildVideo({ codec: 'hevc', profile: 1, level: 180 }), 'video-unsupported'],
    ['Matroska', () => buildVideo({ container: 'mkv' }), 'video-unsupported'],
    [
      'zeros behind a name',
      async () => Buffer.concat([(await buildVideo()).subarray(0, 40), Buffer.alloc(900)]),
      'video-unsupported',
    ],
  ])('%s', async (_, make, problem) => {
    const done = await archive.importAll(patientId, { 'film.mp4': Buffer.from(await make()) });
    expect(done.files).toMatchObject([{ status: 'refused', problem }]);
  });
});
