import { fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { ToolButton } from '../../../src/views/ui/tool-button.tsx';
import { useViewerKeys } from '../../../src/views/workspace/viewer/viewer-keys.ts';
import { show } from '../render.tsx';

vi.mock('../../../src/viewer/index.ts', () => import('./viewer-without-gpu.ts'));

const Workspace = ({ act }: { act: () => boolean }) => {
  useViewerKeys(act);
  return (
    <ToolButton label="Zoom" onClick={() => {}}>
      Z
    </ToolButton>
  );
};

it('handles Escape exactly once while a tooltip is open', async () => {
  const act = vi.fn(() => true);
  await show(<Workspace act={act} />);
  const button = screen.getByRole('button', { name: 'Zoom' });
  await userEvent.click(button);
  await waitFor(() => expect(document.querySelector('[role=tooltip]')).not.toBeNull());
  fireEvent.keyDown(button, { key: 'Escape', code: 'Escape' });
  expect(act).toHaveBeenCalledTimes(1);
  await waitFor(() => expect(document.querySelector('[role=tooltip]')).toBeNull());
  fireEvent.keyDown(button, { key: 'Escape', code: 'Escape' });
  expect(act).toHaveBeenCalledTimes(2);
});
