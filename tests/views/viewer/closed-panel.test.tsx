import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { openRealWorkspace } from './real-workspace.tsx';
import { stages } from './viewer-with-real-stage.ts';

vi.mock('../../../src/viewer/index.ts', () => import('./viewer-with-real-stage.ts'));
vi.mock('../../../src/viewer/stage/renderer.ts', () => import('./no-gpu.ts'));
vi.mock('../../../src/viewer/stage/painter.ts', () => import('./no-gpu.ts'));
vi.mock('../../../src/viewer/stage/snapshot.ts', () => import('./no-gpu.ts'));

beforeEach(() => {
  localStorage.clear();
  localStorage.setItem('dentarium.panel.right', 'no');
  stages.length = 0;
});

it('an icon of the closed panel opens its section, scrolled into view, with the focus on its heading', async () => {
  Object.defineProperty(HTMLElement.prototype, 'offsetTop', { configurable: true, get: () => 700 });
  await openRealWorkspace();
  const icon = screen.getByRole('button', { name: 'Note on the image' });
  expect(icon.getAttribute('aria-expanded')).toBeNull();
  fireEvent.click(icon);
  const heading = () => screen.getByRole('button', { name: 'Note on the image', expanded: true });
  await waitFor(() => expect(document.activeElement).toBe(heading()));
  expect(heading().closest('section')?.parentElement?.scrollTop).toBe(700);
});
