import { describe, expect, it } from 'vitest';
import {
  comparison,
  fieldsFrom,
  identitiesIn,
  isSameIdentity,
  personalNumberIn,
  splitName,
} from '../../../src/views/import/decide/identity.rules.ts';
import {
  contradicts,
  linksWithin,
  putInto,
  slotOfFile,
  takenOut,
} from '../../../src/views/import/decide/links.rules.ts';
import {
  filesOf,
  firstToOpen,
  newAmong,
  nextToOpen,
  stateOf,
  templatesFor,
} from '../../../src/views/import/decide/study.rules.ts';
import { anImportFile, anImportStudy } from '../../an-import.ts';
import { template } from '../edit/edit-fixture.tsx';

const asa = {
  id: '00000000-0000-4000-8000-000000000001',
  firstName: 'Åsa',
  lastName: 'Lindström',
  personalNumber: '19850423-9802',
  birthDate: '1985-04-23',
  protectedIdentity: false,
};
const noIdentity = { name: null, patientId: null, birthDate: null, sex: null };

describe('a name from a file', () => {
  it('is split at `^`, at a comma, or after its first word', () => {
    expect(splitName('Lindström^Åsa^Maria^Dr')).toEqual({ firstName: 'Åsa Maria', lastName: 'Lindström' });
    expect(splitName('Lindström, Åsa')).toEqual({ firstName: 'Åsa', lastName: 'Lindström' });
    expect(splitName('Åsa von Lindström')).toEqual({ firstName: 'Åsa', lastName: 'von Lindström' });
    expect(splitName('Lindström')).toEqual({ firstName: '', lastName: 'Lindström' });
    expect(splitName(null)).toEqual({ firstName: '', lastName: '' });
    expect(splitName('=山田^太郎=やまだ^たろう')).toEqual({ firstName: '太郎', lastName: '山田' });
  });

  it('is converted from capitals', () => {
    expect(splitName('LINDSTRÖM-BERG^ÅSA MARIA')).toEqual({ firstName: 'Åsa Maria', lastName: 'Lindström-Berg' });
    expect(splitName('McDonald^Ian')).toEqual({ firstName: 'Ian', lastName: 'McDonald' });
  });
});

describe('the patient id of a file', () => {
  it('is a personal number when it begins with a date; the birth date gives the century', () => {
    expect(personalNumberIn('19850423-9802', null)).toBe('198504239802');
    expect(personalNumberIn('850423-9802', '1985-04-23')).toBe('198504239802');
    expect(personalNumberIn('850423-9802', null)).toBe('8504239802');
    expect(personalNumberIn('230485-1234', '1985-04-23')).toBe('2304851234');
    expect(personalNumberIn('23048512345', null)).toBe('23048512345');
    expect(personalNumberIn('19850483-9802', null)).toBe('198504839802');
  });

  it('is ignored when it is a sequence number', () => {
    expect(
      ['0000012345', 'PAT-17', '', '123', '1234567890123', '9999999999'].map((id) => personalNumberIn(id, null)),
    ).toEqual(['', '', '', '', '', '']);
  });
});

describe('a new patient from files', () => {
  it('has the valid values of the files', () => {
    expect(fieldsFrom({ name: 'LINDSTRÖM^ÅSA', patientId: '19850423-9802', birthDate: null, sex: 'F' })).toEqual({
      firstName: 'Åsa',
      lastName: 'Lindström',
      personalNumber: '198504239802',
      birthDate: '1985-04-23',
      sex: 'F',
      comments: null,
      protectedIdentity: false,
    });
    expect(fieldsFrom({ name: 'X'.repeat(300), patientId: 'DEV 7', birthDate: '1985-02-31', sex: 'U' })).toEqual({
      firstName: '',
      lastName: `X${'x'.repeat(99)}`,
      personalNumber: '',
      birthDate: null,
      sex: null,
      comments: null,
      protectedIdentity: false,
    });
    expect(fieldsFrom(null).lastName).toBe('');
  });
});

describe('files and a patient', () => {
  it('are compared by attributes that both have', () => {
    expect(
      comparison({ name: 'LINDSTROM^Asa', patientId: '850423-9802', birthDate: '1985-04-23', sex: null }, asa),
    ).toEqual({
      alike: ['personalNumber', 'name', 'birthDate'],
      apart: [],
    });
    expect(comparison({ ...noIdentity, name: 'Berg^Erik', birthDate: '1985-04-23' }, asa)).toEqual({
      alike: ['birthDate'],
      apart: ['name'],
    });
    expect(comparison({ ...noIdentity, patientId: '7' }, asa)).toEqual({ alike: [], apart: [] });
    expect(comparison(null, asa)).toEqual({ alike: [], apart: [] });
  });

  it('list identities with counts, most frequent first', () => {
    const names = (name: string | null, id: string) =>
      anImportFile({ id, patient: name === null ? null : { ...noIdentity, name, match: 'unknown' } });
    const people = identitiesIn([names('A^A', '1'), names('B^B', '2'), names(null, '3'), names('B^B', '4')]);
    expect(people.map(({ named, files }) => [named.name, files])).toEqual([
      ['B^B', 2],
      ['A^A', 1],
    ]);
  });

  it('name the same patient only when they name one', () => {
    expect(isSameIdentity(noIdentity, noIdentity)).toBe(false);
    expect(isSameIdentity({ ...noIdentity, name: 'A^A' }, { ...noIdentity, name: 'A^A' })).toBe(true);
    expect(
      isSameIdentity({ ...noIdentity, name: 'A^A' }, { ...noIdentity, name: 'A^A', birthDate: '1985-04-23' }),
    ).toBe(false);
    expect(isSameIdentity(null, null)).toBe(false);
  });
});

describe('files in slots', () => {
  it('go into an empty slot, from the tray or another slot', () => {
    expect(putInto({}, 'a', 3)).toEqual({ 3: 'a' });
    expect(putInto({ 3: 'a' }, 'a', 4)).toEqual({ 4: 'a' });
    expect(putInto({ 3: 'a' }, 'a', 3)).toEqual({ 3: 'a' });
  });

  it('swap with the file in a filled slot; from the tray, that file goes to the tray', () => {
    expect(putInto({ 3: 'a', 4: 'b' }, 'a', 4)).toEqual({ 3: 'b', 4: 'a' });
    expect(putInto({ 4: 'b' }, 'a', 4)).toEqual({ 4: 'a' });
  });

  it('are in one slot at most, and never lost by a move', () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    let links = {};
    let seed = 7;
    for (let turn = 0; turn < 400; turn += 1) {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      const before = Object.values<string>(links);
      const [id, slot] = [ids[seed % 5] ?? 'a', Math.floor(seed / 5) % 4];
      const fromSlot = slotOfFile(links, id) !== null;
      links = putInto(links, id, slot);
      const after = Object.values<string>(links);
      expect(new Set(after).size).toBe(after.length);
      expect(slotOfFile(links, id)).toBe(slot);
      if (fromSlot) expect(after.toSorted()).toEqual(before.toSorted());
    }
  });

  it('are removed; links to missing slots or files are dropped', () => {
    expect(takenOut({ 3: 'a', 4: 'b' }, 3)).toEqual({ 4: 'b' });
    expect(linksWithin({ 0: 'a', 1: 'x', 9: 'b' }, [{ itemIndex: 0 }, { itemIndex: 1 }], new Set(['a', 'b']))).toEqual({
      0: 'a',
    });
  });

  it('contradict a slot of other teeth, but not unknown teeth', () => {
    expect(contradicts([16, 17], [26])).toBe(true);
    expect(contradicts([16, 17], [17, 18])).toBe(false);
    expect(contradicts([], [26])).toBe(false);
    expect(contradicts([16], [])).toBe(false);
  });
});

describe('the studies of an import', () => {
  const undecided = anImportStudy({ key: '2', obstacles: ['patient-missing'] });
  const ready = anImportStudy({ key: '1' });
  const out = anImportStudy({
    key: '3',
    obstacles: ['patient-missing'],
    decision: { ...anImportStudy().decision, leftOut: true },
  });

  it('are undecided only when included and with an obstacle', () => {
    expect([undecided, ready, out].map(stateOf)).toEqual(['needs-decision', 'ready', 'left-out']);
    expect(firstToOpen([ready, out, undecided])).toBe('2');
    expect(firstToOpen([ready, ready])).toBeNull();
    expect(firstToOpen([ready])).toBe('1');
    expect(nextToOpen([undecided, ready], '1')).toBe('2');
    expect(nextToOpen([undecided, ready], '2')).toBeNull();
  });

  it('contain importable files by acquisition time, then in natural order of names', () => {
    const file = (id: string, path: string, facts = {}) =>
      anImportFile({ id, path, studyKey: '1', status: 'parsed', ...facts });
    const files = [
      file('c', 'IM10'),
      file('b', 'IM2'),
      file('a', 'IM30', { acquiredAt: '2026-01-01T00:00:00Z' }),
      file('x', 'broken', { status: 'refused' }),
      file('y', 'elsewhere', { studyKey: '2' }),
      file('d', 'known', { status: 'duplicate' }),
    ];
    expect(filesOf(ready, files).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
    expect(newAmong(filesOf(ready, files))).toBe(3);
  });

  it('offer favourites first, then templates of their modality with a similar number of slots', () => {
    const offered = (name: string, isFavorite: boolean, modality: string, slots: number) => ({
      ...template(1, name, isFavorite),
      modality,
      viewSetItems: Array.from({ length: slots }, () => template(1, '').viewSetItems[0]).flatMap((slot) => slot ?? []),
    });
    const templates = [
      offered('Panorama', true, 'PX', 1),
      offered('FMX 18', true, 'IO', 18),
      offered('Bitewing 4', true, 'IO', 4),
      offered('Single', false, 'IO', 1),
      offered('Bitewing 2', false, 'IO', 2),
    ];
    expect(templatesFor(templates, { kind: 'dicom', modalities: ['IO'] }, 4).map(({ name }) => name)).toEqual([
      'Bitewing 4',
      'FMX 18',
      'Panorama',
      'Bitewing 2',
      'Single',
    ]);
    const photo = offered('Photo', false, 'XC', 1);
    const forPictures = templatesFor([...templates, photo], { kind: 'static', modalities: [] }, 4);
    expect(forPictures.findIndex(({ name }) => name === 'Photo')).toBe(3);
  });
});
