import { useSelector } from '@xstate/react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { navigate } from 'wouter/use-browser-location';
import type { Customer } from '../../../contract/customers.ts';
import { type SessionActor, selectClinic, selectMay, selectUser } from '../../machines/session/session.machine.ts';
import { peoplePath } from '../places.ts';
import { AddClinic, EditClinic } from './clinic-drawer.tsx';
import { DeleteClinic } from './delete-clinic.tsx';

type Wish = { readonly kind: 'edit' | 'delete'; readonly clinic: Customer } | { readonly kind: 'add' };

export interface ClinicDeeds {
  /** Works in the clinic from now on. */
  readonly work: (clinic: Customer) => void;
  readonly people: (clinic: Customer) => void;
  readonly edit: (clinic: Customer) => void;
  readonly remove: (clinic: Customer) => void;
  readonly add: () => void;
  /** Why something cannot be done, in words; null when it can. */
  readonly barred: (deed: 'add' | 'edit' | 'delete' | 'people', clinic?: Customer) => string | null;
}

interface Hooks {
  readonly onAdded: (clinic: Customer) => void;
  readonly onGone: (clinic: Customer) => void;
}

/** What this person may do to clinics, and the drawers and dialogs of it. */
export const useClinicDeeds = (session: SessionActor, { onAdded, onGone }: Hooks) => {
  const { t } = useTranslation('clinics');
  const [wish, setWish] = useState<Wish | null>(null);
  const inClinic = useSelector(session, selectClinic)?.id ?? null;
  const ownClinic = useSelector(session, selectUser)?.customerId ?? null;
  const mayEditAny = useSelector(session, selectMay('customer.get_byid'));
  const may = {
    add: useSelector(session, selectMay('customer.create')),
    edit: useSelector(session, selectMay('customer.update')),
    delete: useSelector(session, selectMay('customer.delete')),
    people: useSelector(session, selectMay('user.get')),
  };
  const close = () => setWish(null);
  const deeds: ClinicDeeds = {
    work: ({ id, name }) => session.send({ type: 'clinic.chosen', clinic: { id, name } }),
    people: ({ id }) => navigate(peoplePath(id)),
    edit: (clinic) => setWish({ kind: 'edit', clinic }),
    remove: (clinic) => setWish({ kind: 'delete', clinic }),
    add: () => setWish({ kind: 'add' }),
    barred: (deed, clinic) => {
      if (!may[deed]) return t('barred');
      if (!clinic) return null;
      if (deed === 'delete') return clinic.id === inClinic || clinic.id === ownClinic ? t('barredOwn') : null;
      return mayEditAny || clinic.id === ownClinic ? null : t('barred');
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
