import { fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ErrorBoundary } from '../../src/views/app/shell/error-boundary.tsx';
import { errorReport } from '../../src/views/app/shell/error-report.ts';
import { show } from './render.tsx';

const id = '1f0c3a52-9d1e-4c77-8a53-0b6f5d1f2a90';
const place = `/patient/${id}/1.2.840.113619.2.55/${id}?q=Nystr%C3%B6m`;

describe('a report', () => {
  const reportOf = (error: unknown) =>
    errorReport({ error, place, at: new Date('2026-11-22T09:00:00.123Z'), browser: 'Prov/1' });

  it('names the page, the error and the places in our files', () => {
    const error = new TypeError('x is undefined');
    error.stack =
      'TypeError: x is undefined\n    at PatientCard (https://klinik.example/assets/patient-Ab12.js:3:14)\n    at https://klinik.example/assets/index-Cd34.js:1:2';
    expect(reportOf(error).split('\n')).toEqual([
      'Dentarium',
      'page: /patient/:id/:number/:id',
      'time: 2026-11-22T09:00:00Z',
      'browser: Prov/1',
      'error: TypeError',
      'at PatientCard (/assets/patient-Ab12.js:3:14)',
      'at /assets/index-Cd34.js:1:2',
    ]);
  });

  it('contains no personal data', () => {
    const error = new Error(`Freja Nyström 19800101-9802 has no image ${id}`);
    error.stack = `Error: ${error.message}\nof 19800101-9802\nshow@https://klinik.example/patient/${id}/a.js:1:1`;
    expect(reportOf(error)).not.toMatch(/Freja|Nystr|19800101|1f0c3a52|klinik|2\.840/);
    expect(reportOf(error)).toContain('show@/patient/:id/a.js:1:1');
  });

  it('works for a malformed URL', () => {
    const report = errorReport({ error: new Error(), place: '/patient/%E0%A4%A', at: new Date(0), browser: 'Prov/1' });
    expect(report).toContain('page: /patient/%E0%A4%A');
  });

  it('works for any thrown value', () => {
    expect(reportOf('Freja')).toContain('error: string');
    expect(reportOf(undefined)).toContain('error: undefined');
  });
});

describe('a page that fails', () => {
  const Broken = ({ name }: { name: string }): never => {
    throw new RangeError(`no ${name}`);
  };
  beforeEach(() => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
  });
  afterEach(() => vi.restoreAllMocks());

  it('keeps the surroundings, and renders again at another path', async () => {
    const piece = (at: string, inside: React.ReactNode) => (
      <>
        <nav>Menu</nav>
        <ErrorBoundary place={at}>{inside}</ErrorBoundary>
      </>
    );
    const { rerender } = await show(piece('/a', <Broken name="Freja" />));
    expect(screen.getByText('Menu')).toBeTruthy();
    expect(screen.getByRole('alert').textContent).toMatch(/stopped working/);
    rerender(piece('/b', <p>Works</p>));
    expect(screen.getByText('Works')).toBeTruthy();
  });

  it('offers a report to copy, or to read where copying is not allowed', async () => {
    const writeText = vi.fn(async () => {});
    vi.stubGlobal('navigator', { userAgent: 'Prov/1', clipboard: { writeText } });
    await show(
      <ErrorBoundary place="/a">
        <Broken name="Freja" />
      </ErrorBoundary>,
    );
    fireEvent.click(await screen.findByRole('button', { name: 'Copy error report' }));
    expect(await screen.findByRole('button', { name: 'The error report is copied' })).toBeTruthy();
    expect(writeText).toHaveBeenCalledWith(expect.stringContaining('error: RangeError'));
    expect(writeText).not.toHaveBeenCalledWith(expect.stringContaining('Freja'));

    writeText.mockRejectedValueOnce(new DOMException('forbidden'));
    fireEvent.click(screen.getByRole('button', { name: 'The error report is copied' }));
    await vi.waitFor(() => expect(document.querySelector('details')?.open).toBe(true));
    expect(document.querySelector('pre')?.textContent).toContain('error: RangeError');
    vi.unstubAllGlobals();
  });
});
