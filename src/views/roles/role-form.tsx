import { NumberInput, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { bounds } from '../../../contract/bounds.ts';
import { highestRankToGive } from '../../../contract/role-rules.ts';
import { type Role, roleRank } from '../../../contract/roles.ts';
import classes from '../forms/form.module.css';
import { FormEnd } from '../forms/form-end.tsx';
import { useSending } from '../forms/use-sending.ts';

/** A role whose rights a new one can begin with. */
interface Source {
  readonly id: string;
  readonly name: string;
  /** How many of its rights this person may not give. */
  readonly lost: number;
}

interface RoleFields {
  readonly name: string;
  readonly rank: number;
  readonly from: string | null;
}

interface RoleFormProps {
  readonly known: { readonly name: string; readonly rank: number; readonly from?: string } | null;
  /** The role of the person at the screen. */
  readonly own: Role | undefined;
  /** Null: rights are not asked for. */
  readonly sources: readonly Source[] | null;
  readonly submit: string;
  readonly onDirty: (dirty: boolean) => void;
  readonly onCancel: () => void;
  readonly onLoadTheirs: (() => void) | null;
  readonly onSubmit: (fields: RoleFields) => Promise<void>;
}

const mostRank = roleRank.maxValue ?? 0;
const usualRank = 3;

/** Name, rank, and for a new role where its rights come from. */
export const RoleForm = (props: RoleFormProps) => {
  const { known, own, sources, submit, onDirty, onCancel, onLoadTheirs, onSubmit } = props;
  const { t } = useTranslation('role-admin');
  const min = own ? highestRankToGive(own) : 0;
  const [shortest, longest] = bounds.roleName;
  const ranks = { min, max: mostRank };
  const form = useForm<{ name: string; rank: number | string; from: string | null }>({
    initialValues: {
      name: known?.name ?? '',
      rank: Math.max(min, known?.rank ?? usualRank),
      from: known?.from ?? null,
    },
    validate: {
      name: (value) => {
        const { length } = value.trim();
        if (length === 0) return t('required');
        return length >= shortest && length <= longest ? null : t('nameBounds', { min: shortest, max: longest });
      },
      rank: (value) =>
        typeof value === 'number' && Number.isInteger(value) && value >= min && value <= mostRank
          ? null
          : t('rankBounds', ranks),
    },
  });
  const { sending, submit: onForm } = useSending(form, onDirty, ({ fieldKey }, code) =>
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
        max={mostRank}
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
      <FormEnd sending={sending} submit={submit} onCancel={onCancel} onLoadTheirs={onLoadTheirs} />
    </form>
  );
};
