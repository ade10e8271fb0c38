import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { conformancePage } from './conformance-page.ts';

const root = path.dirname(import.meta.dirname);

it('equals docs/dicom-conformance.md (UPDATE_CONFORMANCE=1 regenerates it)', () => {
  const file = path.join(root, 'docs/dicom-conformance.md');
  const now = conformancePage();
  if (process.env.UPDATE_CONFORMANCE) writeFileSync(file, now);
  expect(readFileSync(file, 'utf8')).toBe(now);
});

it('names every element that it lists, and links to pages that exist', () => {
  const page = conformancePage();
  expect(page).not.toMatch(/^\| \(\w{4},\w{4}\) \| {2}\|/m);
  for (const [, target = ''] of page.matchAll(/\]\(([^)#]+)\)/g))
    expect(existsSync(path.join(root, 'docs', target)), target).toBe(true);
});
