import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { commandFields, statuses } from '../../server/dimse/message/message.ts';
import { studyRoot } from '../../server/dimse/provider/supported-syntaxes.ts';
import { firstSeed, mutated, type Random, randomFrom } from '../dicom/mutate.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { dicomWebOf, objectAt } from './dicomweb-under-test.ts';
import {
  type GatewayUnderTest,
  gatewayUnderTest,
  identifierOf,
  type Keys,
  moveToClinic,
} from './gateway-under-test.ts';

const requests = 3_000;
const [own, other] = ['2.25.171', '2.25.172'];
const syntaxes = ['1.2.840.10008.1.2', '1.2.840.10008.1.2.1'];
const pieces = [
  '*',
  '?',
  '%',
  '_',
  '\\',
  "'",
  '^',
  '=',
  '-',
  ' ',
  'Ö',
  '19800101',
  '2026',
  '1015',
  `${own}.1`,
  `${other}.1`,
  '$1',
  '{',
  '山',
];
const tags = [
  '00100010',
  '00100020',
  '00100030',
  '00080020',
  '00080030',
  '00080050',
  '00080061',
  '0020000D',
  '0020000E',
  '00080018',
  '00200013',
];
const services = [
  [commandFields.findRequest, studyRoot.find, {}],
  [commandFields.getRequest, studyRoot.get, {}],
  [commandFields.moveRequest, studyRoot.move, { moveDestination: 'NOWHERE' }],
] as const;

let archive: ArchiveUnderTest;
let gateway: GatewayUnderTest;

beforeAll(async () => {
  archive = await archiveUnderTest();
  gateway = await gatewayUnderTest(archive);
  const web = dicomWebOf(archive);
  await web.addPatient({}, [objectAt(own), objectAt(own, {}, 2)]);
  const otherId = await web.addPatient({}, [objectAt(other)]);
  await moveToClinic(archive.db, otherId, archive.clinics.otherCustomerId);
});
beforeEach(async () => {
  await gateway.addDevice();
});
afterAll(async () => {
  await gateway?.close();
  await archive?.close();
});

const pick = <One>(random: Random, all: readonly One[]): One => all[random(all.length)] as One;

const keysFrom = (random: Random): Keys => {
  const value = () => Array.from({ length: random(4) }, () => pick(random, pieces)).join('');
  const keys = Array.from({ length: 4 }, () => [pick(random, tags), value()] as const);
  return { '00080052': pick(random, ['STUDY', 'SERIES', 'IMAGE', 'PATIENT']), ...Object.fromEntries(keys) };
};

it(`hostile identifiers are answered, and find nothing of another clinic, ${requests} of them from the seed ${firstSeed}`, async () => {
  console.log(`seed ${firstSeed}`);
  const associations = await Promise.all(syntaxes.map((syntax) => gateway.open({ syntax })));
  const expected: readonly number[] = [
    0,
    statuses.dataSetDoesNotMatch,
    statuses.outOfResources,
    statuses.destinationUnknown,
    statuses.subOperationsImpossible,
  ];
  for (let seed = firstSeed; seed < firstSeed + requests; seed += 1) {
    const random = randomFrom(seed);
    const association = associations[seed % 2];
    const [commandField, sopClass, more] = pick(random, services);
    const sound = identifierOf(keysFrom(random), seed % 2 === 1);
    const identifier =
      random(2) === 0
        ? sound
        : Buffer.from(mutated(new Uint8Array(sound), random, new Uint8Array(identifierOf(keysFrom(random), false))));
    if (!association) throw new Error('no association');
    const { answers, last } = await gateway.ask(association, sopClass, { commandField, ...more }, identifier);
    expect(gateway.failures, `seed ${seed}`).toEqual([]);
    expect(expected, `seed ${seed}: ${last.status?.toString(16)}`).toContain(last.status);
    const found = answers.slice(0, -1).map(({ dataSet }) => JSON.stringify(dataSet?.['0020000D']));
    expect(found.join(), `seed ${seed}`).not.toContain(other);
  }
  for (const association of associations) await association.release();
  expect(gateway.failures).toEqual([]);
}, 600_000);
