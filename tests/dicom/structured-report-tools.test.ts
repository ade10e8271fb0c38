import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { directoryKeysOf } from '../../dicom/directory-keys.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { type Quantity, quantities, units } from '../../dicom/structured-report/codes.ts';
import { writeDirectory } from '../../dicom/write/directory.ts';
import { smallObject } from '../server/small-object.ts';
import { plainReport, reportBytes } from './written-report.ts';

const run = promisify(execFile);
const hasValidator = existsSync('/usr/bin/dciodvfy');
const hasDcmtk = existsSync('/usr/bin/dsrdump') && existsSync('/usr/bin/dcmmkdir');
const hasPydicom = await run('/usr/bin/python3', ['-c', 'import pydicom']).then(
  () => true,
  () => false,
);

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-report-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const saved = async (name: string, bytes: Uint8Array): Promise<string> => {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, bytes);
  return file;
};

/** Lines of errors of a program, whatever its exit code. */
const errorsOf = async (command: string, ...args: string[]): Promise<string[]> => {
  const { stdout, stderr } = await run(command, args).catch((error) => error as { stdout: string; stderr: string });
  return `${stdout}\n${stderr}`.split('\n').filter((line) => /^(E:|Error|Abort)/.test(line));
};

const [measurement] = plainReport.measurements;
/** A report with each quantity in each unit. */
const everything = (): Uint8Array =>
  reportBytes({
    measurements: (Object.keys(quantities) as Quantity[]).flatMap((quantity) =>
      (Object.keys(units) as (keyof typeof units)[]).flatMap((unit) =>
        measurement ? [{ ...measurement, quantity, unit, value: 1e5 / 3 }] : [],
      ),
    ),
  });

describe('a written structured report', () => {
  it.skipIf(!hasValidator)('has no error by dciodvfy', async () => {
    for (const bytes of [reportBytes(), everything(), reportBytes({ measurements: [] }), reportBytes({ comments: [] })])
      expect(await errorsOf('/usr/bin/dciodvfy', '-new', await saved('report.dcm', bytes))).toEqual([]);
  });

  it.skipIf(!hasDcmtk)('is read by dsrdump, and its record by dcdirdmp', async () => {
    expect(await errorsOf('/usr/bin/dsrdump', await saved('report.dcm', everything()))).toEqual([]);
    const keysOf = (bytes: Uint8Array) => directoryKeysOf(readDicomFile(bytes));
    const directory = writeDirectory(
      [
        { path: ['DICOM', 'IM000001'], keys: keysOf(smallObject()) },
        {
          path: ['DICOM', 'SR000001'],
          keys: keysOf(reportBytes()),
          report: { contentDate: '20260314', contentTime: '101500' },
        },
      ],
      '2.25.99',
    );
    const file = await saved('DICOMDIR', directory);
    expect(await errorsOf('/usr/bin/dcdirdmp', file)).toEqual([]);
    if (hasValidator) expect(await errorsOf('/usr/bin/dciodvfy', '-new', file)).toEqual([]);
  });

  it.skipIf(!hasPydicom)('has values, lines, image, observer and texts as pydicom reads them', async () => {
    const script = `
import json, sys, pydicom
d = pydicom.dcmread(sys.argv[1])
def item(c): return c.ConceptNameCodeSequence[0].CodeValue if 'ConceptNameCodeSequence' in c else None
def find(c, code): return [i for i in c.get('ContentSequence', []) if item(i) == code]
out = []
for g in find(find(d, '126010')[0], '125007'):
  n = [i for i in g.ContentSequence if i.ValueType == 'NUM'][0]
  v = n.MeasuredValueSequence[0]
  s = [i for i in list(g.ContentSequence) + list(n.get('ContentSequence', [])) if i.ValueType == 'SCOORD'][0]
  who = [str(i.PersonName) for i in find(g, '121008')]
  out.append([item(n), float(v.FloatingPointValue), float(v.NumericValue), v.MeasurementUnitsCodeSequence[0].CodeValue,
    list(s.GraphicData), s.ContentSequence[0].ReferencedSOPSequence[0].ReferencedSOPInstanceUID, who])
texts = [i.TextValue for i in find(find(d, 'C0034375')[0], '121106')]
print(json.dumps([out, texts]))`;
    const { stdout } = await run('/usr/bin/python3', ['-c', script, await saved('report.dcm', reportBytes())]);
    const [groups, texts] = JSON.parse(stdout);
    const { value = 0, lines = [] } = measurement ?? {};
    expect(groups).toEqual([
      ['410668003', value, expect.closeTo(value, 7), 'mm', lines.flat(2).map(Math.fround), '2.25.1001', ['Åsa Lind']],
      ['42798000', 12, 12, '{pixels}', [0, 0, 4, 0, 4, 3, 0, 0], '2.25.1001', []],
    ]);
    expect(texts).toEqual(['Karies\nD2', 'Här']);
  });
});
