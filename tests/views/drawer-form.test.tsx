import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it, onTestFinished } from 'vitest';
import { DrawerForm } from '../../src/views/forms/drawer-form.tsx';
import { withFocusReturned } from '../../src/views/shell/focus-return.ts';
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
  onTestFinished(withFocusReturned(document));
  await show(<List />);
  await userEvent.click(button('Add'));
  const field = await screen.findByLabelText('City');
  await waitFor(() => expect(document.activeElement?.closest('[role=dialog]')).toBeTruthy());
  // In this very moment, so that what the drawer leaves for later is still to come.
  fireEvent.keyDown(field, { key: 'Escape' });
  expect(field.isConnected).toBe(false);
};

it('gives the focus back to what opened the drawer', async () => {
  await openAndClose();
  await waitFor(() => expect(document.activeElement).toBe(button('Add')));
});

it('leaves the focus to who goes on at once, and does not fetch it back afterwards', async () => {
  await openAndClose();
  button('More').focus();
  await new Promise<void>((done) => void setTimeout(done, 0));
  expect(document.activeElement).toBe(button('More'));
});
