import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Customer } from '../../../contract/customers.ts';
import { useAdministration } from '../administration.ts';
import { DrawerForm } from '../forms/drawer-form.tsx';
import { useKnown } from '../forms/use-known.ts';
import { toast } from '../parts/toast.ts';
import { ClinicForm } from './clinic-form.tsx';

interface EditProps {
  readonly clinic: Customer;
  readonly onClose: () => void;
}

/** Changes what a clinic is. Who was later than somebody else is told, and can take up theirs. */
export const EditClinic = ({ clinic, onClose }: EditProps) => {
  const { t } = useTranslation(['clinics', 'shell']);
  const administration = useAdministration();
  const [dirty, setDirty] = useState(false);
  const { known, edition, loadTheirs } = useKnown(
    clinic,
    () => administration.customer(clinic.id),
    (theirs) => theirs,
  );
  return (
    <DrawerForm title={t('edit')} dirty={dirty} onClose={onClose}>
      {(leave) => (
        <ClinicForm
          key={edition}
          known={known}
          submit={t('save')}
          onDirty={setDirty}
          onCancel={leave}
          onLoadTheirs={loadTheirs}
          onSubmit={async (fields) => {
            const saved = await administration.updateCustomer({ ...fields, id: known.id, version: known.version });
            toast({ tone: 'good', text: t('saved', { name: saved.name }), close: t('shell:close') });
            onClose();
          }}
        />
      )}
    </DrawerForm>
  );
};

interface AddProps {
  readonly onClose: () => void;
  readonly onAdded: (clinic: Customer) => void;
}

export const AddClinic = ({ onClose, onAdded }: AddProps) => {
  const { t } = useTranslation(['clinics', 'shell']);
  const administration = useAdministration();
  const [dirty, setDirty] = useState(false);
  return (
    <DrawerForm title={t('add')} dirty={dirty} onClose={onClose}>
      {(leave) => (
        <ClinicForm
          known={null}
          submit={t('add')}
          onDirty={setDirty}
          onCancel={leave}
          onLoadTheirs={null}
          onSubmit={async (fields) => {
            const added = await administration.createCustomer(fields);
            toast({ tone: 'good', text: t('added', { name: added.name }), close: t('shell:close') });
            onClose();
            onAdded(added);
          }}
        />
      )}
    </DrawerForm>
  );
};
