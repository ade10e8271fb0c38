import { Input, SegmentedControl } from '@mantine/core';
import { useId } from 'react';

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly disabled: boolean;
  readonly description?: string | undefined;
  /** Why this value is not possible. */
  readonly error?: string | null;
  readonly onChange: (value: Value) => void;
}

/** One of two or three values, all in sight. */
export const Choice = <Value extends string>(props: ChoiceProps<Value>) => {
  const { label, value, options, disabled, description, error, onChange } = props;
  const id = useId();
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      labelProps={{ id }}
      description={description}
      error={error}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
    >
      <SegmentedControl
        fullWidth
        aria-labelledby={id}
        data={[...options]}
        value={value}
        disabled={disabled}
        onChange={onChange}
      />
    </Input.Wrapper>
  );
};
