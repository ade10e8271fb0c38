import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Notice } from '../../src/views/parts/notice.tsx';
import { show } from './render.tsx';

it('has a sign of its own when it is bad news, and none when it is not', async () => {
  await show(
    <>
      <Notice urgent title="Internal server error" />
      <Notice title="Nothing yet" />
    </>,
  );
  expect(screen.getByRole('alert').querySelectorAll('svg')).toHaveLength(1);
  expect(screen.getByRole('status').querySelector('svg')).toBeNull();
});

it('keeps the sign that it was given', async () => {
  await show(<Notice urgent title="No image" icon={<svg data-testid="own" />} />);
  expect(screen.getByRole('alert').querySelectorAll('svg')).toHaveLength(1);
  expect(screen.getByTestId('own')).toBeTruthy();
});
