/** Names distributed as in a Swedish clinic: a quarter has one of the common names, the others one of about two thousand. */
const common =
  'Andersson Johansson Karlsson Nilsson Eriksson Larsson Olsson Persson Svensson Gustafsson Pettersson Jonsson Jansson Hansson Bengtsson Jönsson';
const beginnings =
  'Lind Berg Sand Ström Sjö Hag Dal Ek Gran Alm Björk Ny Söder Norr Öster Väster Häll Sten Fors Holm Lund Hed Blom Ros Åker Äng Ö Gyllen Silver Guld Adler Falk Örn Svan Lö Mo Bro Kvist Palm Wall Fröj Hammar Rönn Törn Ceder Bo';
const endings =
  'ström berg gren kvist qvist dahl lund man mark stedt feldt holm blad blom ås ö vall by ell én ing lin löf rup skog hed sjö strand borg';
const given =
  'Anna Maria Erik Lars Karl Anders Eva Per Karin Johan Kristina Nils Lena Jan Emma Mikael Hans Sara Peter Kerstin Jonas Malin Olof Ingrid Björn Åsa Gunilla Göran Märta Sören Elsa Alva Hugo Liam Noah Ebba Astrid Östen Inger Sofia Fredrik Daniel Andreas Mats Ulla Birgitta Bo Stefan Jenny Linda Åke Viktor Oskar Wilma Alice Vera Selma Signe Rut Sigrid Folke Tage Gösta Börje Amir Fatima Mohammed Šárka Zoë Søren Mette Bjørn Kåre Ragnhild';

export const commonNames = common.split(' ');
export const rareNames = beginnings.split(' ').flatMap((first) => endings.split(' ').map((last) => first + last));
export const givenNames = given.split(' ');

const list = (names: readonly string[]) => `(array['${names.join("','")}'])`;
const evenly = (names: readonly string[]) => `${list(names)}[1 + floor(random() * ${names.length})::int]`;
/** The first far more often than the last. */
const skewed = (names: readonly string[]) => `${list(names)}[1 + floor(power(random(), 2) * ${names.length})::int]`;

/**
 * Patients numbered `from` to `to`, as one statement: one in five has two given names, one in twelve a double last name; each has a personal number
 * of its own. They go to the clinic of the expression `customer`, in which `n` is the patient's number.
 */
export const insertPatients = (customer: string, from: number, to: number): string => `
  insert into patient (id, customer_id, personal_number, first_name, last_name, birth_date, search_text, last_words, search_digits, last_study_date)
  select gen_random_uuid(), ${customer}, digits, first, last, birth, folded_words(first || ' ' || last), 1 + (length(last) - length(replace(last, '-', ''))),
    digits, current_date - floor(random() * 3650)::int
  from (select n, birth, to_char(birth, 'YYYYMMDD') || lpad((((n / 36500) * 353 + (n % 36500) * 7919) % 10000)::text, 4, '0') as digits,
      ${skewed(givenNames)} || case when random() < 0.2 then ' ' || ${evenly(givenNames)} else '' end as first,
      case when random() < 0.25 then ${skewed(commonNames)} else ${evenly(rareNames)} end
        || case when random() < 0.08 then '-' || ${evenly(rareNames)} else '' end as last
    from (select n, date '1925-01-01' + n % 36500 as birth from generate_series(${from}::int, ${to}::int) as n) as born) as person`;
