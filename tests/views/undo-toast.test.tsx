import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { undoToast } from '../../src/views/ui/action-toast.tsx';
import { toast } from '../../src/views/ui/toast.ts';
import { ToastStrip } from '../../src/views/ui/toast-strip.tsx';
import { show } from './render.tsx';

const offer = (about: string, text: string) => {
  const onUndo = vi.fn();
  undoToast({ about, text, undo: `Undo: ${text}`, close: 'Close', onUndo });
  return onUndo;
};

it('replaces the toast of an earlier change of the same record', async () => {
  await show(<ToastStrip />);
  const [first, other] = [offer('berg', 'Berg deleted'), offer('ek', 'Ek deleted')];
  await screen.findByText('Berg deleted');
  const second = offer('berg', 'Berg is back');
  await screen.findByText('Berg is back');
  await waitFor(() => expect(screen.queryByText('Berg deleted')).toBeNull());
  fireEvent.click(screen.getByRole('button', { name: 'Undo: Berg is back' }));
  fireEvent.click(screen.getByRole('button', { name: 'Undo: Ek deleted' }));
  expect([first, other, second].map(({ mock }) => mock.calls.length)).toEqual([0, 1, 1]);
});

it('replaces the plain toast of the same text', async () => {
  await show(<ToastStrip />);
  toast({ tone: 'good', text: 'Dahl is back', close: 'Close' });
  await screen.findByText('Dahl is back');
  offer('dahl', 'Dahl is back');
  await screen.findByRole('button', { name: 'Undo: Dahl is back' });
  await waitFor(() => expect(screen.getAllByText('Dahl is back')).toHaveLength(1));
});
