import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** For whom pictures are and what for; both may be empty. */
export interface Recipient {
  readonly recipient: string;
  readonly purpose: string;
}

export const noRecipient: Recipient = { recipient: '', purpose: '' };

/** Returns the fields of a call; absent where nothing was typed. */
export const recipientBody = ({ recipient, purpose }: Recipient) => ({
  ...(recipient.trim() !== '' && { recipient: recipient.trim() }),
  ...(purpose.trim() !== '' && { purpose: purpose.trim() }),
});

interface RecipientFieldsProps {
  readonly value: Recipient;
  readonly disabled: boolean;
  readonly onChange: (value: Recipient) => void;
}

const maxLength = 200;

/** Recipient and purpose for the access log. */
export const RecipientFields = ({ value, disabled, onChange }: RecipientFieldsProps) => {
  const { t } = useTranslation(['gallery', 'print']);
  const field = (name: keyof Recipient, placeholder: string, description?: string) => (
    <TextInput
      label={t(name)}
      description={description}
      placeholder={placeholder}
      maxLength={maxLength}
      autoComplete="off"
      disabled={disabled}
      value={value[name]}
      onChange={(event) => onChange({ ...value, [name]: event.currentTarget.value })}
    />
  );
  return (
    <>
      {field('recipient', t('recipientExample'), t('print:logged'))}
      {field('purpose', t('purposeExample'))}
    </>
  );
};
