import { describe, expect, it } from 'vitest';
import type { GradeSummary } from '../../../contract/grade-summary.ts';
import { resolveLocation } from '../../../src/views/workspace/patient/patient-location.ts';
import { series, study } from '../edit/edit-fixture.tsx';
import { anImage } from '../records.ts';
import { noLocation } from './no-location.ts';

const rejected: GradeSummary = { version: 1, grade: 'N', reason: 'movement' };
const first = anImage('first', { order: 1, grade: rejected });
const second = anImage('second', { order: 2 });
const document = anImage('document', { order: 0, kind: 'document' });

describe('a location without an image', () => {
  it('opens the first image that is not folded away', () => {
    const studies = [study({ viewsets: [], series: [series([document, first, second])] })];
    expect(resolveLocation(noLocation, studies).imageUid).toBe('second');
    expect(resolveLocation({ ...noLocation, series: studies[0]?.uid ?? '' }, studies).imageUid).toBe('second');
    expect(resolveLocation({ ...noLocation, series: studies[0]?.series[0]?.uid ?? '' }, studies).imageUid).toBe(
      'second',
    );
  });

  it('opens one that is not acceptable where there is no other', () => {
    const studies = [study({ viewsets: [], series: [series([document, first])] })];
    expect(resolveLocation(noLocation, studies).imageUid).toBe('first');
  });

  it('opens a document where there is no image', () => {
    const studies = [study({ viewsets: [], series: [series([document])] })];
    expect(resolveLocation(noLocation, studies).imageUid).toBe('document');
  });

  it('leaves an image that is not acceptable open when the address names it', () => {
    const studies = [study({ viewsets: [], series: [series([first, second])] })];
    expect(resolveLocation({ ...noLocation, imageUid: 'first' }, studies).imageUid).toBe('first');
  });
});
