import { useSelector } from '@xstate/react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { navigate } from 'wouter/use-browser-location';
import { type Claim, mayDo } from '../../../contract/claims.ts';
import type { Customer } from '../../../contract/customers.ts';
import {
  type SessionActor,
  selectClinic,
  selectPermission,
  selectUser,
} from '../../machines/session/session.machine.ts';
import { useFailureText } from '../language/failure-text.ts';
import { peoplePath } from '../places.ts';
import { AddClinic, EditClinic } from './clinic-drawer.tsx';
import { DeleteClinic } from './delete-clinic.tsx';

type Wish = { readonly kind: 'edit' | 'delete'; readonly clinic: Customer } | { readonly kind: 'add' };

type Deed = 'add' | 'edit' | 'delete' | 'people';

export interface ClinicDeeds {
  /** Works in the clinic from now on. */
  readonly work: (clinic: Customer) => void;
  readonly people: (clinic: Customer) => void;
  readonly edit: (clinic: Customer) => void;
  readonly remove: (clinic: Customer) => void;
  readonly add: () => void;
  /** Why something cannot be done, in words; null when it can. */
  readonly barred: (deed: Deed, clinic?: Customer) => string | null;
}

const claimOf: Readonly<Record<Deed, Claim>> = {
  add: 'customer.create',
  edit: 'customer.update',
  delete: 'customer.delete',
  people: 'user.get',
};
/** What it takes beside that to do something in a clinic that is not one's own. */
const anyClinic: Claim = 'customer.get_byid';

interface Hooks {
  readonly onAdded: (clinic: Customer) => void;
  readonly onGone: (clinic: Customer) => void;
}

/** What this person may do to clinics, and the drawers and dialogs of it. */
export const useClinicDeeds = (session: SessionActor, { onAdded, onGone }: Hooks) => {
  const { t } = useTranslation('clinics');
  const failureText = useFailureText();
  const [wish, setWish] = useState<Wish | null>(null);
  const inClinic = useSelector(session, selectClinic)?.id ?? null;
  const ownClinic = useSelector(session, selectUser)?.customerId ?? null;
  const permission = useSelector(session, selectPermission);
  const isInReach = (deed: Deed, clinic: Customer | undefined) =>
    deed === 'add' || deed === 'delete' || clinic === undefined || clinic.id === ownClinic;
  const close = () => setWish(null);
  const deeds: ClinicDeeds = {
    work: ({ id, name }) => session.send({ type: 'clinic.chosen', clinic: { id, name } }),
    people: ({ id }) => navigate(peoplePath(id)),
    edit: (clinic) => setWish({ kind: 'edit', clinic }),
    remove: (clinic) => setWish({ kind: 'delete', clinic }),
    add: () => setWish({ kind: 'add' }),
    barred: (deed, clinic) => {
      const missing = [claimOf[deed], ...(isInReach(deed, clinic) ? [] : [anyClinic])].find(
        (claim) => !mayDo(permission, claim),
      );
      if (missing) return failureText({ kind: 'refused', code: 'no-right', claims: [missing] });
      const isOwn = clinic !== undefined && (clinic.id === inClinic || clinic.id === ownClinic);
      return deed === 'delete' && isOwn ? t('barredOwn') : null;
    },
  };
  const open = () => {
    switch (wish?.kind) {
      case 'add':
        return <AddClinic onClose={close} onAdded={onAdded} />;
      case 'edit':
        return <EditClinic clinic={wish.clinic} onClose={close} />;
      case 'delete':
        return (
          <DeleteClinic
            clinic={wish.clinic}
            onClose={close}
            onGone={() => {
              close();
              onGone(wish.clinic);
            }}
          />
        );
      default:
        return null;
    }
  };
  return { deeds, dialogs: <Suspense fallback={null}>{open()}</Suspense> };
};
