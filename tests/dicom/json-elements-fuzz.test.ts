import { expect, it } from 'vitest';
import { type DicomJson, jsonOf } from '../../dicom/dicom-json.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { concat } from '../../dicom/write/elements.ts';
import { fileMeta } from '../../dicom/write/file-meta.ts';
import { bulkUrisOf, jsonElements } from '../../dicom/write/json-elements.ts';
import { smallObject } from '../server/small-object.ts';
import { fuzzBounds } from './fuzz-bounds.ts';
import { firstSeed, mutated, type Random, randomFrom } from './mutate.ts';

const inputs = 50_000;
const explicit = '1.2.840.10008.1.2.1';
const secret = 'Hemlig';

const sound: DicomJson = {
  ...jsonOf(readDicomFile(smallObject({ PatientName: `${secret}^Åsa` })).dataSet, () => 'pixels'),
  '00081115': { vr: 'SQ', Value: [{ '0020000E': { vr: 'UI', Value: ['1.2'] } }, {}] },
  '00101030': { vr: 'DS', Value: [70.5, 1e-7] },
  '00280009': { vr: 'AT', Value: ['00181063'] },
  '00404000': { vr: 'LT', Value: [`${secret}\\b`] },
  '00420011': { vr: 'OB', InlineBinary: 'AQID' },
  '00720074': { vr: 'FD', Value: [0.1] },
  '00720082': { vr: 'SV', Value: [-5] },
  '00720083': { vr: 'UV', Value: ['18446744073709551615'] },
};
const text = JSON.stringify(sound);
const bytes = new Uint8Array(Buffer.from(text));
const vrs =
  'AE AS AT CS DA DS DT FD FL IS LO LT OB OD OF OL OV OW PN SH SL SQ SS ST SV TM UC UI UL UN UR US UT UV XX'.split(' ');

/** Sequences inside one another, of which the innermost is sound. */
const nested = (depth: number): unknown => {
  let item: unknown = sound;
  for (let count = 0; count < depth; count++) item = { '00081115': { vr: 'SQ', Value: [item] } };
  return item;
};
const small = [null, true, 1, -1, 0.5, 1e300, '', secret, 'A\\B', '00100010', [], {}, [null], [{}], { Alphabetic: 7 }];
const long = (random: Random): unknown => {
  const length = 1 + random(100_000);
  const kinds = [
    () => '9'.repeat(length),
    () => 'A'.repeat(length - (length % 4)),
    () => Array.from({ length }, () => random(70_000)),
    () => Array.from({ length }, () => secret),
    () => nested(1 + random(1_000)),
    () => Object.fromEntries(Array.from({ length: length % 20_000 }, (_, at) => [at.toString(16), at])),
  ];
  return kinds[random(kinds.length)]?.();
};

/** Other values, other value representations, and other keys. */
const changed = (random: Random): string => {
  const rate = 8 << random(5);
  const hostile = (key: string, value: unknown): unknown => {
    if (random(rate) > 0) return value;
    if (key === 'vr') return vrs[random(vrs.length)];
    if (random(100) === 0) return 'LONG';
    return structuredClone(small[random(small.length)]);
  };
  const drawn = JSON.stringify(nested(random(3) === 0 ? random(20) : 0), hostile);
  const all = drawn.replace('"LONG"', () => JSON.stringify(long(random)));
  return random(4) === 0
    ? all.replace('0020000E', ['7FE00010', '0020', 'FFFEE000', '__proto__'][random(4)] ?? '')
    : all;
};

const inputOf = (random: Random): unknown => {
  if (random(4) > 0) return JSON.parse(changed(random));
  try {
    return JSON.parse(Buffer.from(mutated(bytes, random, bytes)).toString());
  } catch {
    return null;
  }
};

const isRefusal = (error: unknown): error is Error =>
  [TypeError, RangeError, SyntaxError].some((kind) => error instanceof kind);

it(`writes or refuses any DICOM JSON in little time and memory, ${inputs} of them from the seed ${firstSeed}`, async () => {
  const bounds = fuzzBounds();
  let [written, refused] = [0, 0];
  for (let seed = firstSeed; seed < firstSeed + inputs; seed++) {
    const random = randomFrom(seed);
    const json = inputOf(random) as DicomJson;
    const isEncapsulated = random(4) === 0;
    let pieces: ReturnType<typeof jsonElements> = [];
    await bounds.run(`seed ${seed}`, () => {
      try {
        const uris = bulkUrisOf(json);
        pieces = jsonElements(json, { lengthOf: (uri) => (uris.has(uri) ? 3 : Number.NaN), isEncapsulated });
        written += 1;
      } catch (error) {
        if (!isRefusal(error)) throw error;
        // Messages are those of this program, without values.
        expect(error.message, `seed ${seed}`).not.toMatch(new RegExp(`${secret}|99|call stack|array length`));
        refused += 1;
      }
    });
    if (pieces.length === 0 || isEncapsulated) continue;
    const values = pieces.map((piece) => (piece instanceof Uint8Array ? piece : new Uint8Array(piece.length)));
    const file = concat([...fileMeta('1.2', '1.3', explicit), ...values]);
    expect(readDicomFile(file).dataSet.code(0x00080005), `seed ${seed}`).toBe('ISO_IR 192');
  }
  console.log(`${written} written, ${refused} refused`);
  bounds.check();
  expect(Math.min(written, refused)).toBeGreaterThan(inputs / 10);
}, 300_000);
