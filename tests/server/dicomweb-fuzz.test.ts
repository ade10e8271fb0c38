import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ProblemError } from '../../server/domain/problem-error.ts';
import { chosenBy, jsonTypeFor, mediaRanges } from '../../server/resource/dicomweb/accept.ts';
import { frameFormFor } from '../../server/resource/dicomweb/frame-form.ts';
import { firstSeed, type Random, randomFrom } from '../dicom/mutate.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { dicomWebOf, objectAt } from './dicomweb-under-test.ts';

const pieces = [
  'multipart/related',
  'application/dicom',
  'application/dicom+json',
  'application/octet-stream',
  'image/jls',
  'image/*',
  '*/*',
  'type=',
  'transfer-syntax=',
  '*',
  '1.2.840.10008.1.2.4.80',
  'q=',
  '0',
  '1e9',
  'NaN',
  '-',
  '"',
  ';',
  ',',
  '=',
  '\\',
  ' ',
  '/',
  '__proto__',
  'ø',
  '((((',
  'a'.repeat(300),
];
const piecesOfValues = [
  '*',
  '?',
  '%',
  '_',
  '\\',
  "'",
  '"',
  '^',
  '=',
  ',',
  '-',
  ' ',
  'Ö',
  '19800101',
  '2026',
  '1015',
  '2.25.91.1',
  '$1',
  '{',
  '山',
];
const names = [
  'PatientName',
  'PatientID',
  'StudyDate',
  'StudyTime',
  'AccessionNumber',
  'ModalitiesInStudy',
  '0020000D',
  '00100030',
  'SeriesNumber',
  'includefield',
  'limit',
  'offset',
  'fuzzymatching',
  'accept',
  'viewport',
  'window',
  'quality',
  '__proto__',
  'constructor',
];

const textOf = (random: Random, from: readonly string[], most: number): string =>
  Array.from({ length: random(most) }, () => from[random(from.length)]).join('');

it('reads any Accept, and chooses a reply or refuses', () => {
  console.log(`seed ${firstSeed}`);
  const random = randomFrom(firstSeed);
  for (let count = 0; count < 20_000; count++) {
    const accept = textOf(random, pieces, 14);
    const ranges = mediaRanges(accept);
    for (const { quality } of ranges) expect(quality).toBeGreaterThan(0);
    for (const replyFor of [jsonTypeFor, frameFormFor('1.2.840.10008.1.2.4.80', 1 + random(2))]) {
      try {
        expect(chosenBy<unknown>(ranges, replyFor)).toBeTruthy();
      } catch (error) {
        expect(error, accept).toBeInstanceOf(ProblemError);
      }
    }
  }
});

let archive: ArchiveUnderTest;
const uid = '2.25.91';
beforeAll(async () => {
  archive = await archiveUnderTest();
  await dicomWebOf(archive).addPatient({}, [objectAt(uid)]);
});
afterAll(() => archive?.close());

const instance = `/studies/${uid}.1/series/${uid}.1.1/instances/${uid}.1.1.1`;
const places = [
  '/studies',
  '/series',
  '/instances',
  `/studies/${uid}.1/series`,
  `/studies/${uid}.1`,
  instance,
  `${instance}/metadata`,
  `${instance}/frames/1`,
  `${instance}/rendered`,
  `/studies/${uid}.1/rendered`,
  `${instance}/thumbnail`,
  `${instance}/bulkdata/00080008`,
];

/** Headers that fetch would not send. */
const statusOf = (path: string, accept: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = {
      accept: Buffer.from(accept, 'utf8')
        .toString('latin1')
        .replace(/[^\t -\xff]/g, ''),
      authorization: `Bearer ${archive.clinics.doctorId}`,
    };
    const sent = httpRequest(`${archive.url}/dicomweb/${archive.clinics.customerId}${path}`, { headers }, (reply) => {
      reply.resume();
      reply.on('end', () => resolve(reply.statusCode ?? 0));
      reply.on('error', reject);
    });
    sent.on('error', reject);
    sent.end();
  });

it('answers any Accept and any parameters without a fault', async () => {
  const random = randomFrom(firstSeed);
  const statuses = new Map<number, number>();
  for (let count = 0; count < 800; count++) {
    const place = places[random(places.length)] ?? '/studies';
    const pairs = Array.from({ length: random(4) }, () => {
      const value = textOf(random, random(3) === 0 ? pieces : piecesOfValues, 5);
      return `${names[random(names.length)]}=${encodeURIComponent(value)}`;
    });
    const accept = random(2) === 0 ? '*/*' : textOf(random, pieces, 10);
    const status = await statusOf(`${place}?${pairs.join('&')}`, accept);
    expect([200, 400, 404, 406], `${place}?${pairs.join('&')} ${accept}`).toContain(status);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  for (const status of [200, 400, 406]) expect(statuses.get(status)).toBeGreaterThan(10);
  expect(archive.failures).toEqual([]);
});
