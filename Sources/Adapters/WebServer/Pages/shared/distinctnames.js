// Names that tell people apart.

/** The same people, of whom later ones of the same name have a number after it: “Anna”, “Anna (2)”. */
export function withDistinctNames(people) {
  const written = new Set(people.map(({ name }) => name));
  const given = new Set();
  return people.map((person) => {
    let name = person.name;
    for (let number = 2; given.has(name); number += 1) {
      const next = `${person.name} (${number})`;
      if (!written.has(next)) name = next;
    }
    given.add(name);
    return { ...person, name };
  });
}
