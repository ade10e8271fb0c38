import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ServiceError } from '../../src/services/failure.ts';
import { Denied } from '../../src/views/language/denied.tsx';
import { useFailureText } from '../../src/views/language/failure-text.ts';
import { failureOfQuery } from '../../src/views/reading.tsx';
import { show } from './render.tsx';

const Told = ({ error }: { error: unknown }) => <p>{useFailureText()(failureOfQuery(error))}</p>;
const refused = (claims?: string[]) =>
  new ServiceError({ kind: 'refused', status: 403, code: 'no-right', errors: [], ...(claims && { claims }) });

it('says which right is missing, or which of several would do', async () => {
  await show(
    <>
      <Told error={refused(['customer.create'])} />
      <Told error={refused(['user.get', 'customer.get'])} />
      <Told error={refused(['disable.delete_study'])} />
    </>,
  );
  screen.getByText('You have no rights to do this. Missing right: “Add clinics”');
  screen.getByText(
    'You have no rights to do this. Missing right: “See the users of the own clinic” or “See all clinics”',
  );
  screen.getByText('You have no rights to do this. Missing right: “Delete studies”');
});

it('says no more than it knows', async () => {
  await show(
    <>
      <Told error={refused()} />
      <Told error={refused(['claim.of_a_later_version'])} />
    </>,
  );
  expect(screen.getAllByText('You have no rights to do this')).toHaveLength(2);
});

it('names the right in place of a page that is shut', async () => {
  await show(<Denied claims={['user.get_sa']} />);
  screen.getByText('Missing right: “Administer the installation”. Ask an administrator if you need it.');
});
