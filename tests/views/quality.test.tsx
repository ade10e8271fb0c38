import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type GradeReport,
  type GradeSample,
  gradeReport,
  gradeSample,
  sumOfTallies,
} from '../../contract/grade-report.ts';
import type { Call } from '../../src/services/call.ts';
import { halfYearOf } from '../../src/views/quality/period.ts';
import { QualityPage } from '../../src/views/quality/quality-page.tsx';
import { galleryImage } from '../gallery-images.ts';
import { clinicId, WithGallery } from './gallery/gallery-fixture.tsx';
import { show } from './render.tsx';

const saveFile = vi.hoisted(() => vi.fn());
vi.mock('../../src/views/ui/save-file.ts', () => ({ saveFile }));

const none = sumOfTallies([]);
const tally = (acceptable: number, notAcceptable: object = {}) => ({
  acceptable,
  notAcceptable: { ...none.notAcceptable, ...notAcceptable },
});
const report: GradeReport = {
  kinds: [
    { kind: 'bitewing', ...tally(57, { position: 3 }) },
    { kind: 'periapical', ...tally(37, { movement: 2, exposure: 1 }) },
    { kind: 'panoramic', ...tally(20) },
  ],
  operators: [
    { operator: '=Maja Lindqvist', ...tally(110, { position: 3 }) },
    { operator: null, ...tally(4, { movement: 2, exposure: 1 }) },
  ],
};
const sample: GradeSample = { images: 900, graded: 98, data: [galleryImage(1), galleryImage(2)] };

const open = async ({ mayReport = true, given = sample, address = '/' } = {}) => {
  window.history.replaceState(null, '', address);
  const calls: unknown[] = [];
  const call = (async (route: unknown, options: { body?: object; query?: object }) => {
    calls.push(options.body ?? options.query);
    if (route === gradeReport) return report;
    if (route === gradeSample) return given;
    throw new Error('unexpected call');
  }) as unknown as Call;
  await show(
    <QueryClientProvider client={new QueryClient()}>
      <WithGallery call={call}>
        <QualityPage clinicId={clinicId} mayReport={mayReport} hrefOf={({ uid }) => `/patient/p/s?image=${uid}`} />
      </WithGallery>
    </QueryClientProvider>,
  );
  return calls;
};

beforeEach(() => {
  localStorage.clear();
  saveFile.mockClear();
});

describe('the report of image quality', () => {
  it('reads 94 % of 100 images, below the target, by kind and reason', async () => {
    await open();
    const part = within(await screen.findByRole('region', { name: 'Report' }));
    expect(
      part
        .getAllByText(/^\d+ %$/)
        .map(({ textContent }) => textContent)
        .slice(0, 1),
    ).toEqual(['94 %']);
    expect(part.getByText('94 of 100 acceptable')).toBeTruthy();
    expect(part.getByText('Below the target of 95 %')).toBeTruthy();
    expect(part.getByText('The target of 95 % is reached')).toBeTruthy();
    const cells = (name: string) =>
      within(part.getByRole('row', { name: new RegExp(`^${name}`) }))
        .getAllByRole('cell')
        .map(({ textContent }) => textContent);
    expect(cells('Bitewing')).toEqual(['60', '57', '95 %', '3', '0', '0', '0', '0', '0']);
    expect(cells('Periapical')).toEqual(['40', '37', '92.5 %', '0', '2', '1', '0', '0', '0']);
    expect(cells('Not stated')).toEqual(['7', '4', '57.1 %', '0', '2', '1', '0', '0', '0']);
    expect(part.getByText('80 more images should be graded: a period needs at least 100.')).toBeTruthy();
  });

  it('is saved as CSV in which no name runs as a formula', async () => {
    await open({ address: '/?from=2026-01-01&to=2026-06-30' });
    fireEvent.click(await screen.findByRole('button', { name: 'Save as CSV' }));
    const [{ name, content }] = saveFile.mock.lastCall ?? [];
    expect(name).toBe('dentarium-image-quality-2026-01-01-2026-06-30.csv');
    const lines = (await content.text()).trim().split('\r\n');
    expect(lines[0]).toContain('Counted by;;Graded;Acceptable;Share (%);Target (%);Position');
    expect(lines).toContain('Intraoral;All;100;94;94;95;3;2;1;0;0;0');
    expect(lines.find((line: string) => line.includes('Maja'))).toMatch(/^Operator;"'=Maja Lindqvist";113;110;97.3;95/);
  });

  it('is absent for users without statistics, who still see the sample', async () => {
    const calls = await open({ mayReport: false });
    await screen.findAllByRole('link', { name: /^Open/ });
    expect(screen.queryByRole('region', { name: 'Report' })).toBeNull();
    expect(calls).toHaveLength(1);
  });
});

describe('the sample to grade', () => {
  it('links to the images, and is of the current half-year and of intraoral images first', async () => {
    const calls = await open({ mayReport: false });
    const links = await screen.findAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual(
      sample.data.map(({ uid }) => `/patient/p/s?image=${uid}`),
    );
    expect(screen.getByText('98 of 900 images are graded. Grade 2 more images for an even sample.')).toBeTruthy();
    fireEvent.click(screen.getByRole('radio', { name: 'Extraoral' }));
    await waitFor(() => expect(calls).toHaveLength(2));
    const period = halfYearOf(new Date());
    expect(calls).toEqual([
      { customerId: clinicId, group: 'intraoral', ...period },
      { customerId: clinicId, group: 'extraoral', ...period },
    ]);
  });

  it.each([
    [{ images: 0, graded: 0, data: [] }, 'No radiographs of this group in the period.'],
    [{ images: 900, graded: 120, data: [] }, 'The sample is complete. 120 of 900 images are graded.'],
  ])('says when there is nothing to grade: %j', async (given, text) => {
    await open({ mayReport: false, given });
    await screen.findByText(text);
  });

  it('is not asked for while the period ends before it begins', async () => {
    const calls = await open({ address: '/?from=2026-07-01&to=2026-06-30' });
    expect(screen.getByText('The period ends before it begins')).toBeTruthy();
    expect(calls).toEqual([]);
  });
});

it.each([
  ['2026-06-30T23:59:00', '2026-01-01', '2026-06-30'],
  ['2026-07-01T00:00:00', '2026-07-01', '2026-12-31'],
])('the half-year of %s is %s to %s', (day, from, to) => {
  expect(halfYearOf(new Date(day))).toEqual({ from, to });
});
