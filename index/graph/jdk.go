package graph

import (
	"strings"
	"sync"
)

// What is known of the types of the JDK, so far as it tells overloads apart.

// boxes are the primitive types with the class of each, the narrower ones first:
// every number goes into those behind it.
var boxes = [...]struct{ primitive, class string }{
	{"byte", "Byte"}, {"short", "Short"}, {"int", "Integer"}, {"long", "Long"}, {"float", "Float"}, {"double", "Double"},
	{"char", "Character"}, {"boolean", "Boolean"},
}

const numbers = 6 // of boxes

// box is the number of a primitive type, or of its class; −1 for none.
func box(name string) (number int, primitive bool) {
	for i := range boxes {
		if boxes[i].primitive == name || boxes[i].class == name {
			return i, boxes[i].primitive == name
		}
	}
	return -1, false
}

// widens tells whether a primitive value goes into another primitive type.
func widens(from, to int) bool {
	return from == to || from < to && to < numbers || from == numbers && to >= 2 && to < numbers // char to int and wider
}

// jdkTypes are classes of the JDK, with what each extends and implements.
const jdkTypes = `String CharSequence Comparable Serializable
StringBuilder CharSequence Appendable Comparable Serializable
StringBuffer CharSequence Appendable Comparable Serializable
CharBuffer CharSequence Appendable Readable Comparable Buffer
ByteBuffer Buffer Comparable
Number Serializable
Byte Number Comparable
Short Number Comparable
Integer Number Comparable
Long Number Comparable
Float Number Comparable
Double Number Comparable
BigInteger Number Comparable
BigDecimal Number Comparable
AtomicInteger Number
AtomicLong Number
Boolean Comparable Serializable
Character Comparable Serializable
Class Type GenericDeclaration AnnotatedElement Serializable
ParameterizedType Type
WildcardType Type
GenericArrayType Type
Field AccessibleObject Member
Method Executable
Constructor Executable
Executable AccessibleObject Member GenericDeclaration
AccessibleObject AnnotatedElement
Reader Readable Closeable
StringReader Reader
CharArrayReader Reader
BufferedReader Reader
InputStreamReader Reader
FileReader InputStreamReader
Writer Appendable Closeable Flushable
StringWriter Writer
CharArrayWriter Writer
BufferedWriter Writer
PrintWriter Writer
OutputStreamWriter Writer
FileWriter OutputStreamWriter
InputStream Closeable
ByteArrayInputStream InputStream
FileInputStream InputStream
ObjectInputStream InputStream ObjectInput
FilterInputStream InputStream
BufferedInputStream FilterInputStream
DataInputStream FilterInputStream DataInput
OutputStream Closeable Flushable
ByteArrayOutputStream OutputStream
FileOutputStream OutputStream
ObjectOutputStream OutputStream ObjectOutput
FilterOutputStream OutputStream
BufferedOutputStream FilterOutputStream
PrintStream FilterOutputStream Appendable
Closeable AutoCloseable
File Serializable Comparable
URI Comparable Serializable
URL Serializable
UUID Comparable Serializable
Charset Comparable
Locale Serializable Cloneable
Pattern Serializable
Date Comparable Serializable Cloneable
Calendar Comparable Serializable Cloneable
GregorianCalendar Calendar
Thread Runnable
Throwable Serializable
Exception Throwable
Error Throwable
RuntimeException Exception
IOException Exception
IllegalArgumentException RuntimeException
IllegalStateException RuntimeException
UnsupportedOperationException RuntimeException
NullPointerException RuntimeException
Collection Iterable
List Collection
Set Collection
Queue Collection
Object`

// jdkSupers are all types that a value of a class of the JDK is of.
var jdkSupers = sync.OnceValue(func() map[string]map[string]bool {
	above := map[string][]string{}
	for line := range strings.Lines(jdkTypes) {
		list := strings.Fields(line)
		above[list[0]] = list[1:]
	}
	all := map[string]map[string]bool{}
	for name := range above {
		set := map[string]bool{"Object": true}
		for queue := []string{name}; len(queue) > 0; queue = queue[1:] {
			set[queue[0]] = true
			queue = append(queue, above[queue[0]]...)
		}
		all[name] = set
	}
	return all
})

// final tells whether a class of the JDK is one that nothing extends.
func final(name string) bool {
	k, _ := box(name)
	return k >= 0 || name == "String" || name == "Class" || name == "StringBuilder"
}
