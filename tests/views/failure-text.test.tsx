import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ServiceError } from '../../src/services/failure.ts';
import { failureOfQuery } from '../../src/views/app/queries-context.tsx';
import { Denied } from '../../src/views/language/denied.tsx';
import { useFailureText } from '../../src/views/language/failure-text.ts';
import { show } from './render.tsx';

const FailureText = ({ error }: { error: unknown }) => <p>{useFailureText()(failureOfQuery(error))}</p>;
const refused = (claims?: string[]) =>
  new ServiceError({ kind: 'refused', status: 403, code: 'no-right', errors: [], ...(claims && { claims }) });

it('names the missing right, or the alternatives', async () => {
  await show(
    <>
      <FailureText error={refused(['customer.create'])} />
      <FailureText error={refused(['user.get', 'customer.get'])} />
      <FailureText error={refused(['disable.delete_study'])} />
    </>,
  );
  screen.getByText('You have no rights to do this. Missing right: “Add clinics”');
  screen.getByText('You have no rights to do this. Missing right: “See users of own clinic” or “See all clinics”');
  screen.getByText('You have no rights to do this. Missing right: “Delete studies”');
});

it('names no unknown rights', async () => {
  await show(
    <>
      <FailureText error={refused()} />
      <FailureText error={refused(['claim.of_a_later_version'])} />
    </>,
  );
  expect(screen.getAllByText('You have no rights to do this')).toHaveLength(2);
});

it('names the right in place of a denied page', async () => {
  await show(<Denied claims={['user.get_sa']} />);
  screen.getByText('Missing right: “Administer the installation”. Ask an administrator for access.');
});
