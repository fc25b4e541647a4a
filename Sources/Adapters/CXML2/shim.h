#pragma once
#include <libxml/xmlversion.h>
// Its ICU is another version than Foundation's; a module that imports both cannot see two. Only the conversion of
// encodings inside libxml2 uses it.
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
