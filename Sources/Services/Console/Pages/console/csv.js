// CSV after RFC 4180: quotes double, line breaks inside quotes, CRLF or LF. Where a comma is the decimal sign,
// spreadsheets write semicolons or tabs between the fields: the first line says which.

/** The separator of the fields, and the index at which the rows begin, which is after a line “sep=;” if there is one.
    */
function separatorOf(source) {
  const [first] = source.split(/\r?\n/, 1);
  const said = /^sep=(.)$/.exec(first)?.[1];
  if (said) return { separator: said, start: source.indexOf("\n") + 1 || source.length };
  const plain = first.replace(/"[^"]*"/g, "");
  const separator = plain.includes(",") ? "," : [";", "\t"].find((sign) => plain.includes(sign)) ?? ",";
  return { separator, start: 0 };
}

/** A text without the apostrophe that keeps spreadsheets from running it; see `shield`. */
export const unshield = (text) => (/^'+[=+\-@\t\r\n]/.test(text) ? text.slice(1) : text);

/** A text that no spreadsheet runs as a formula. */
export const shield = (text) => (/^'*[=+\-@\t\r\n]/.test(text) ? `'${text}` : text);

/** Rows of texts. Throws with the line of the mistake. */
export function readCsv(text) {
  const rows = [];
  let row = [];
  let field = "";
  let quoted = false;
  let wasQuoted = false;
  let line = 1;
  const source = text.replace(/^\ufeff/, "");
  const { separator, start } = separatorOf(source);
  if (start > 0) line = 2;
  const endField = () => {
    row.push(field);
    field = "";
    wasQuoted = false;
  };
  const endRow = () => {
    endField();
    if (row.length > 1 || row[0] !== "") rows.push(row);
    row = [];
  };
  for (let at = start; at < source.length; at += 1) {
    const sign = source[at];
    if (sign === "\n") line += 1;
    if (quoted) {
      if (sign !== '"') field += sign;
      else if (source[at + 1] === '"') {
        field += '"';
        at += 1;
      } else quoted = false;
    } else if (sign === '"') {
      if (field !== "" || wasQuoted) {
        throw new SyntaxError(`Line ${line}: a quote inside a field must be doubled and the field quoted.`);
      }
      quoted = wasQuoted = true;
    } else if (sign === separator) endField();
    else if (sign === "\n") endRow();
    else if (sign === "\r" && source[at + 1] === "\n") continue;
    else if (wasQuoted) throw new SyntaxError(`Line ${line}: text after a closing quote.`);
    else field += sign;
  }
  if (quoted) throw new SyntaxError("A quote is opened and never closed.");
  if (field !== "" || wasQuoted || row.length > 0) endRow();
  return rows;
}

/** CSV text of rows, quoting only where it is needed. */
export function writeCsv(rows) {
  const quote = (field) => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);
  return rows.map((row) => `${row.map((field) => quote(String(field))).join(",")}\r\n`).join("");
}
