import { expect, it } from 'vitest';
import { permanentTeeth } from '../../../contract/teeth.ts';
import { patientPath } from '../../../src/views/workspace/patient/patient-location.ts';
import {
  formatHistory,
  type HistoryView,
  historyOf,
  parseHistory,
  spans,
} from '../../../src/views/workspace/tooth-history/history-url.ts';

const parse = (text: string) => parseHistory(new URLSearchParams(text));

it('every history is read from its own address', () => {
  const views = permanentTeeth.flatMap((tooth) =>
    spans.flatMap((span): HistoryView[] => [
      { tooth, span, kinds: [], panoramics: false },
      { tooth, span, kinds: ['bitewing', 'panoramic'] as const, panoramics: true },
    ]),
  );
  for (const view of [...views, historyOf(null), { ...historyOf(null), kinds: ['photograph'] as const }])
    expect(parse(formatHistory(view))).toEqual(view);
});

it('a deciduous tooth is read as its successor', () => {
  expect(parse('history=55')).toEqual(historyOf(15));
});

it.each(['', 'history=', 'history=19', 'history=0', 'history=036', 'span=jaw'])(
  'no history is read from "%s"',
  (text) => {
    expect(parse(text)).toBeNull();
  },
);

it('invalid filters are left out', () => {
  expect(parse('history=36&span=mouth&kinds=bitewing,<b>,&panoramics=yes')).toEqual({
    ...historyOf(36),
    kinds: ['bitewing'],
  });
});

it('stands in the address of the patient beside what is open, and not when it is closed', () => {
  const history = historyOf(36);
  expect(patientPath('p', { series: 's', imageUid: 'i', history })).toBe('/patient/p/s?image=i&history=36');
  expect(patientPath('p', { series: 's', viewsetId: 'v', history: { ...history, span: 'jaw' } })).toBe(
    '/patient/p/s/v?history=36&span=jaw',
  );
  expect(patientPath('p', { compare: ['a', 'b'], history: historyOf(null) })).toBe(
    '/patient/p?compare=a,b&history=all',
  );
  expect(patientPath('p', { series: 's', imageUid: 'i', history: null })).toBe('/patient/p/s?image=i');
});
