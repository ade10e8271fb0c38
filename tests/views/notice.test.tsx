import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Notice } from '../../src/views/ui/notice.tsx';
import { show } from './render.tsx';

it('has a default icon when urgent, and none otherwise', async () => {
  await show(
    <>
      <Notice urgent title="Internal server error" />
      <Notice title="Nothing yet" />
    </>,
  );
  expect(screen.getByRole('alert').querySelectorAll('svg')).toHaveLength(1);
  expect(screen.getByRole('status').querySelector('svg')).toBeNull();
});

it('keeps a given icon', async () => {
  await show(<Notice urgent title="No image" icon={<svg data-testid="own" />} />);
  expect(screen.getByRole('alert').querySelectorAll('svg')).toHaveLength(1);
  expect(screen.getByTestId('own')).toBeTruthy();
});
