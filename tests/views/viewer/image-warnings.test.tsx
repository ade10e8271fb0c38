import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { ImageWarnings } from '../../../src/views/workspace/viewer/image-warnings.tsx';
import { show } from '../render.tsx';
import { loaded } from './workspace-on-stage.tsx';

vi.mock('../../../src/viewer/index.ts', () => import('./viewer-without-gpu.ts'));

it('says nothing over an image that is shown as its file says', async () => {
  await show(<ImageWarnings image={loaded()} fileError={null} />);
  expect(screen.queryByRole('status')).toBeNull();
});

it('names both sizes of an image that is smaller than its header says', async () => {
  await show(<ImageWarnings image={loaded({ coded: { rows: 500, columns: 1200 } })} fileError={null} />);
  expect(screen.getByRole('status').textContent).toMatch(/1200 × 500 pixels, its header says 1200 × 900/);
});

it('shows several warnings below each other', async () => {
  const image = loaded({ coded: { rows: 1, columns: 1 }, overlayPlanes: { planes: [], incomplete: 2 } });
  await show(<ImageWarnings image={image} fileError={{ kind: 'damaged', since: '2026-03-01T00:00:00Z' }} />);
  expect(screen.getByRole('status').querySelectorAll('p')).toHaveLength(3);
});
