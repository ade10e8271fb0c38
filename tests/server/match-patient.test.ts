import { expect, test } from 'vitest';
import { derivedUid } from '../../server/domain/derived-uid.ts';
import { matchPatient, type PatientOfFile } from '../../server/domain/match-patient.ts';
import { personalNumberKey } from '../../server/domain/personal-number.ts';

const chosen = {
  firstName: 'Åsa Maria',
  lastName: 'Lindström-Ek',
  birthDate: '1980-01-01',
  personalNumberKey: '198001011234',
};
const file = (changes: Partial<PatientOfFile>): PatientOfFile => ({
  name: null,
  patientId: null,
  birthDate: null,
  sex: null,
  ...changes,
});

test.each([
  ['same', { patientId: '19800101-1234' }],
  ['same', { patientId: '800101-1234', name: 'Somebody^Else' }],
  ['same', { patientId: '198001011234' }],
  ['same', { name: 'LINDSTROM EK^ASA', birthDate: '1980-01-01' }],
  ['same', { name: 'Lindström-Ek^Åsa^Maria^Dr', birthDate: '1980-01-01', patientId: 'CASE-7' }],
  ['same', { name: 'Åsa Maria Lindström-Ek', birthDate: '1980-01-01' }],
  ['unknown', {}],
  ['unknown', { name: '^^^^' }],
  ['unknown', { name: 'Lindström-Ek^Åsa' }],
  ['unknown', { birthDate: '1980-01-01' }],
  ['differs', { name: 'Lindström-Ek^Åsa', birthDate: '1980-01-02' }],
  ['differs', { name: 'Berg^Nils', birthDate: '1980-01-01' }],
  ['differs', { name: 'Lindström-Ek^Åsa', birthDate: '1980-01-01', patientId: '19900202-2384' }],
  ['differs', { name: 'Lindström' }],
  ['differs', { birthDate: '1990-02-02' }],
  ['differs', { patientId: 'CASE-7' }],
] as const)('%s: %j', (match, changes) => {
  expect(matchPatient(file(changes), chosen)).toBe(match);
});

test.each([
  ['same', 'Yamada^Tarou=山田^太郎=やまだ^たろう', '山田', '太郎'],
  ['same', 'Yamada^Tarou=山田^太郎=やまだ^たろう', 'Yamada', 'Tarou'],
  ['same', '=山田^太郎', '山田', '太郎'],
  ['differs', '=山田^花子', '山田', '太郎'],
] as const)('%s: a name of several scripts, %s', (match, name, lastName, firstName) => {
  expect(matchPatient(file({ name, birthDate: '1980-01-01' }), { ...chosen, lastName, firstName })).toBe(match);
});

test.each([
  ['800101-1234', null, '198001011234'],
  ['19800101-1234', null, '198001011234'],
  ['19800101 1234', null, '198001011234'],
  ['120101+1234', null, '191201011234'],
  ['120101-1234', null, '201201011234'],
  ['270101-1234', null, '192701011234'],
  ['120101-1234', '1912-01-01', '191201011234'],
  ['800161-1234', null, '198001611234'],
  ['311280-1234', '1980-12-31', '3112801234'],
  ['311299-1234', null, '3112991234'],
  ['19800101-T123', null, '19800101T123'],
])('%s (born %s) is compared as %s', (written, birthDate, key) => {
  expect(personalNumberKey(written, birthDate, new Date('2026-11-20'))).toBe(key);
});

test('derived identifiers are valid, stable and distinct per kind', () => {
  const uid = derivedUid('sop-instance', 'abc');
  expect(uid).toMatch(/^2\.25\.[1-9]\d{0,38}$/);
  expect(derivedUid('sop-instance', 'abc')).toBe(uid);
  expect(derivedUid('study', 'abc')).not.toBe(uid);
  const hex = BigInt(uid.slice(5)).toString(16).padStart(32, '0');
  expect([hex[12], (Number.parseInt(hex[16] ?? '', 16) & 0xc) === 8]).toEqual(['8', true]);
});
