import { fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { ToolButton } from '../../../src/views/parts/tool-button.tsx';
import { useRoomKeys } from '../../../src/views/viewer/use-room-keys.ts';
import { show } from '../render.tsx';

vi.mock('../../../src/viewer/index.ts', () => import('./door.ts'));

const Room = ({ act }: { act: () => boolean }) => {
  useRoomKeys(act);
  return (
    <ToolButton label="Zoom" onClick={() => {}}>
      Z
    </ToolButton>
  );
};

it('Escape means what it means also while a tooltip stands open, and once', async () => {
  const act = vi.fn(() => true);
  await show(<Room act={act} />);
  const button = screen.getByRole('button', { name: 'Zoom' });
  await userEvent.click(button);
  await waitFor(() => expect(document.querySelector('[role=tooltip]')).not.toBeNull());
  fireEvent.keyDown(button, { key: 'Escape', code: 'Escape' });
  expect(act).toHaveBeenCalledTimes(1);
  await waitFor(() => expect(document.querySelector('[role=tooltip]')).toBeNull());
  fireEvent.keyDown(button, { key: 'Escape', code: 'Escape' });
  expect(act).toHaveBeenCalledTimes(2);
});
