import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it, onTestFinished } from 'vitest';
import { returnFocusOnClose } from '../../src/views/app/shell/focus-return.ts';
import { DrawerForm } from '../../src/views/forms/drawer-form.tsx';
import { show } from './render.tsx';

const List = () => {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Add
      </button>
      <button type="button">More</button>
      {open && (
        <DrawerForm title="Anna" dirty={false} onClose={() => setOpen(false)}>
          {() => <input aria-label="City" />}
        </DrawerForm>
      )}
    </>
  );
};
const button = (name: string) => screen.getByRole('button', { name });

const openAndClose = async () => {
  onTestFinished(returnFocusOnClose(document));
  await show(<List />);
  await userEvent.click(button('Add'));
  const field = await screen.findByLabelText('City');
  await waitFor(() => expect(document.activeElement?.closest('[role=dialog]')).toBeTruthy());
  // Synchronously, before the drawer's deferred work.
  fireEvent.keyDown(field, { key: 'Escape' });
  expect(field.isConnected).toBe(false);
};

it('returns the focus to the control that opened the drawer', async () => {
  await openAndClose();
  await waitFor(() => expect(document.activeElement).toBe(button('Add')));
});

it('does not take the focus back when it has moved on', async () => {
  await openAndClose();
  button('More').focus();
  await new Promise<void>((done) => void setTimeout(done, 0));
  expect(document.activeElement).toBe(button('More'));
});
