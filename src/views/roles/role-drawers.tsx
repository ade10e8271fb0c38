import { NumberInput, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bounds } from '../../../contract/bounds.ts';
import { type RoleName, signInClaims } from '../../../contract/claims.ts';
import { highestAssignableRank } from '../../../contract/role-rules.ts';
import { type Role, roleRank } from '../../../contract/roles.ts';
import { useAdministration } from '../app/loaded-services.ts';
import { DrawerForm } from '../forms/drawer-form.tsx';
import classes from '../forms/form.module.css';
import { FormFooter } from '../forms/form-footer.tsx';
import { useEditedRecord, useFormSubmit } from '../forms/use-form-submit.ts';
import { useRoleName } from '../language/role-name.ts';
import { toast } from '../ui/toast.ts';
import { copied, type Viewer } from './roles.ts';

/** A role whose claims can be copied. */
interface Source {
  readonly id: string;
  readonly name: string;
  /** Number of its claims that the user cannot grant. */
  readonly lost: number;
}

interface RoleFields {
  readonly name: string;
  readonly rank: number;
  readonly from: string | null;
}

interface RoleFormProps {
  readonly known: { readonly name: string; readonly rank: number; readonly from?: string | undefined };
  /** Role of the signed-in user. */
  readonly own: Role | undefined;
  /** Null: no source of claims is offered. */
  readonly sources: readonly Source[] | null;
  readonly submit: string;
  readonly onDirty: (dirty: boolean) => void;
  readonly onCancel: () => void;
  readonly onLoadLatest: (() => void) | null;
  readonly onSubmit: (fields: RoleFields) => Promise<void>;
}

const maxRank = roleRank.maxValue ?? 0;
const usualRank = 3;
/** Most new roles are for people who treat patients, with a few rights less or more. */
const usualSource: RoleName = 'Doctor';

/** Form for name and rank, and for a new role the source of its claims. */
const RoleForm = (props: RoleFormProps) => {
  const { known, own, sources, submit, onDirty, onCancel, onLoadLatest, onSubmit } = props;
  const { t } = useTranslation('role-admin');
  const min = own ? highestAssignableRank(own) : 0;
  const [shortest, longest] = bounds.roleName;
  const ranks = { min, max: maxRank };
  const form = useForm<{ name: string; rank: number | string; from: string | null }>({
    initialValues: {
      name: known.name,
      rank: Math.max(min, known.rank),
      from: known.from ?? null,
    },
    validate: {
      name: (value) => {
        const { length } = value.trim();
        if (length === 0) return t('required');
        return length >= shortest && length <= longest ? null : t('nameBounds', { min: shortest, max: longest });
      },
      rank: (value) =>
        typeof value === 'number' && Number.isInteger(value) && value >= min && value <= maxRank
          ? null
          : t('rankBounds', ranks),
    },
  });
  const { sending, submit: onForm } = useFormSubmit(form, onDirty, ({ fieldKey }, code) =>
    fieldKey === 'rank' && (code === 'own-rank' || code === 'invalid-request') ? t('rankBounds', ranks) : null,
  );
  const lost = sources?.find(({ id }) => id === form.values.from)?.lost ?? 0;
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={onForm(({ name, rank, from }) => onSubmit({ name: name.trim(), rank: Number(rank), from }))}
    >
      <TextInput label={t('name')} data-autofocus required autoComplete="off" {...form.getInputProps('name')} />
      <NumberInput
        label={t('rank')}
        description={t('rankHelp')}
        required
        min={min}
        max={maxRank}
        allowDecimal={false}
        clampBehavior="none"
        {...form.getInputProps('rank')}
      />
      {sources && (
        <Select
          label={t('copyFrom')}
          placeholder={t('fromNothing')}
          description={lost > 0 ? t('notCopied', { count: lost }) : undefined}
          data={sources.map(({ id, name }) => ({ value: id, label: name }))}
          clearable
          {...form.getInputProps('from')}
        />
      )}
      <FormFooter sending={sending} submit={submit} onCancel={onCancel} onLoadLatest={onLoadLatest} />
    </form>
  );
};

interface RenameRoleProps {
  readonly role: Role;
  readonly viewer: Viewer;
  readonly onClose: () => void;
}

/** Edits name and rank of a role. On a version conflict the user can load the newer values. */
export const RenameRole = ({ role, viewer, onClose }: RenameRoleProps) => {
  const { t } = useTranslation(['role-admin', 'shell']);
  const administration = useAdministration();
  const [dirty, setDirty] = useState(false);
  const { known, formKey, loadLatest } = useEditedRecord(
    role,
    () => administration.roles(),
    (roles) => roles.find(({ id }) => id === role.id),
  );
  return (
    <DrawerForm title={t('editTitle', { name: known.name })} dirty={dirty} onClose={onClose}>
      {(leave) => (
        <RoleForm
          key={formKey}
          known={known}
          own={viewer.own}
          sources={null}
          submit={t('save')}
          onDirty={setDirty}
          onCancel={leave}
          onLoadLatest={loadLatest}
          onSubmit={async ({ name, rank }) => {
            const saved = await administration.updateRole({ id: known.id, name, rank, version: known.version });
            toast({ tone: 'good', text: t('saved', { name: saved.name }), close: t('shell:close') });
            onClose();
          }}
        />
      )}
    </DrawerForm>
  );
};

interface AddRoleProps {
  /** Role to copy; null: none yet. */
  readonly from: Role | null;
  readonly roles: readonly Role[];
  readonly viewer: Viewer;
  readonly onClose: () => void;
  readonly onAdded: (role: Role) => void;
}

/** Creates a role with the claims of another, as far as the user can grant them. */
export const AddRole = ({ from, roles, viewer, onClose, onAdded }: AddRoleProps) => {
  const { t } = useTranslation(['role-admin', 'shell']);
  const roleName = useRoleName();
  const administration = useAdministration();
  const [dirty, setDirty] = useState(false);
  const sources = roles.map(({ id, name, claims, rank }) => ({
    id,
    rank,
    name: roleName(name),
    ...copied(viewer.permission, claims),
  }));
  return (
    <DrawerForm title={t('newTitle')} dirty={dirty} onClose={onClose}>
      {(leave) => (
        <RoleForm
          known={
            from
              ? { name: t('copyOf', { name: roleName(from.name) }), rank: from.rank, from: from.id }
              : { name: '', rank: usualRank, from: roles.find(({ name }) => name === usualSource)?.id }
          }
          own={viewer.own}
          sources={sources}
          submit={t('create')}
          onDirty={setDirty}
          onCancel={leave}
          onLoadLatest={null}
          onSubmit={async ({ name, rank, from: source }) => {
            const { claims } = sources.find(({ id }) => id === source) ?? copied(viewer.permission, signInClaims);
            const added = await administration.createRole({ name, rank, roleClaims: [...claims] });
            toast({ tone: 'good', text: t('created', { name: added.name }), close: t('shell:close') });
            onAdded(added);
          }}
        />
      )}
    </DrawerForm>
  );
};
