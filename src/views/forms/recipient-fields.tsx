import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { recipientLength } from '../../../contract/recipient.ts';

/** For whom images are and what for, as typed. */
export interface TypedRecipient {
  readonly recipient: string;
  readonly purpose: string;
}

export const noRecipient: TypedRecipient = { recipient: '', purpose: '' };

/** Returns the fields of a call; absent where nothing was typed. */
export const recipientBody = ({ recipient, purpose }: TypedRecipient) => ({
  ...(recipient.trim() !== '' && { recipient: recipient.trim() }),
  ...(purpose.trim() !== '' && { purpose: purpose.trim() }),
});

interface RecipientFieldsProps {
  readonly value: TypedRecipient;
  readonly disabled: boolean;
  /** Without a recipient the form cannot be sent; its field has the focus. */
  readonly required?: boolean;
  /** Below the label of the recipient. */
  readonly description?: string;
  readonly onChange: (value: TypedRecipient) => void;
}

/** Recipient and purpose for the access log. */
export const RecipientFields = ({ value, disabled, required, description, onChange }: RecipientFieldsProps) => {
  const { t } = useTranslation('gallery');
  const field = (name: keyof TypedRecipient) => ({
    label: t(name),
    placeholder: t(`${name}Example`),
    maxLength: recipientLength,
    autoComplete: 'off',
    disabled,
    value: value[name],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => onChange({ ...value, [name]: event.currentTarget.value }),
  });
  return (
    <>
      <TextInput
        {...field('recipient')}
        description={description}
        required={required}
        data-autofocus={required || undefined}
      />
      <TextInput {...field('purpose')} />
    </>
  );
};
