import { describe, expect, it } from 'vitest';
import { readDicomFile } from '../../dicom/file.ts';
import { tags } from '../../dicom/tags.ts';
import { type NewValue, patchedBytes, replaceElements } from '../../dicom/write/replace-elements.ts';
import { bytesOf, element, explicitBig, explicitLittle, implicitLittle, type Syntax } from './build-dicom.ts';
import { sequence } from './build-state.ts';

const syntaxes = { explicitLittle, implicitLittle, explicitBig } as const;
const name = (text: string): [number, NewValue] => [tags.patientName, { vr: 'PN', text }];

const changed = (bytes: Uint8Array, changes: readonly [number, NewValue][]) => {
  const made = patchedBytes(bytes, replaceElements(readDicomFile(bytes).dataSet, new Map(changes)));
  return { made, dataSet: readDicomFile(made).dataSet };
};

const fileOf = (syntax: Syntax, ...elements: readonly Uint8Array[]) =>
  bytesOf(element(0x00080016, 'UI', '1.2.840.10008.5.1.4.1.1.7', syntax), ...elements);

describe.each(Object.entries(syntaxes))('of a data set in %s', (_, syntax) => {
  const file = fileOf(
    syntax,
    element(tags.patientName, 'PN', 'Fel^A', syntax),
    element(0x00101000, 'LO', 'X1', syntax),
    element(tags.studyInstanceUid, 'UI', '1.2.3', syntax),
    element(0x00204000, 'LT', 'end', syntax),
  );

  it('elements are replaced, added and removed, and the others stay', () => {
    const { dataSet } = changed(file, [
      name('Ek^Bo'),
      [tags.patientId, { vr: 'LO', text: '42' }],
      [tags.patientSex, { vr: 'CS', text: null }],
      [0x00101000, 'removed'],
      [tags.studyInstanceUid, { vr: 'UI', text: '1.2.34' }],
      [0x00400275, 'removed'],
    ]);
    expect([...dataSet.elements.keys()]).toEqual([
      0x00080016,
      tags.patientName,
      tags.patientId,
      tags.patientSex,
      tags.studyInstanceUid,
      0x00204000,
    ]);
    expect(dataSet.text(tags.patientName)).toBe('Ek^Bo');
    expect(dataSet.text(tags.patientId)).toBe('42');
    expect(dataSet.has(tags.patientSex)).toBe(false);
    expect(dataSet.code(tags.studyInstanceUid)).toBe('1.2.34');
    expect(dataSet.text(0x00204000)).toBe('end');
  });

  it('elements are added after the last one', () => {
    const { dataSet } = changed(file, [[0x00400009, { vr: 'SH', text: 'S1' }]]);
    expect(dataSet.text(0x00400009)).toBe('S1');
    expect(dataSet.elements.size).toBe(6);
  });
});

describe('text', () => {
  const stated = (set: string | null) =>
    bytesOf(set === null ? [] : element(0x00080005, 'CS', set), fileOf(explicitLittle, element(0x00100020, 'LO', '1')));

  it.each([
    ['ISO_IR 100', 'Öberg^Åsa', 'Öberg^Åsa', 'ISO_IR 100'],
    ['ISO_IR 192', 'Ōta^山', 'Ōta^山', 'ISO_IR 192'],
    [null, 'Ek^Bo', 'Ek^Bo', null],
    [null, 'Öberg^Åsa', 'Öberg^Åsa', 'ISO_IR 100'],
    [null, 'Ōta^B', 'Ōta^B', 'ISO_IR 192'],
    ['ISO_IR 144', 'Öberg^Åsa', 'Oberg^Asa', 'ISO_IR 144'],
    ['ISO_IR 100', 'Ōta^山', 'Ota^?', 'ISO_IR 100'],
  ])('is written in the character set of the file: %s, %s', (set, given, received, declared) => {
    const { dataSet } = changed(stated(set), [name(given)]);
    expect(dataSet.text(tags.patientName)).toBe(received);
    expect(dataSet.code(tags.specificCharacterSet)).toBe(declared);
  });
});

it('removes a sequence of undefined length whole', () => {
  const file = fileOf(
    explicitLittle,
    sequence(0x00101002, [element(tags.patientId, 'LO', 'X')]),
    element(0x00200013, 'IS', '1'),
  );
  const { made, dataSet } = changed(file, [[0x00101002, 'removed']]);
  expect([...dataSet.elements.keys()]).toEqual([0x00080016, 0x00200013]);
  expect(made.length).toBeLessThan(file.length);
});
