package outline

import (
	"bytes"
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
)

// What is nested deeper is not handed to Go's parser: its own bound is a hundred
// times as deep, and a file of some hundred kilobytes that goes there overruns the
// stack, which nothing can catch.
const (
	// maxGoNesting is how deep brackets may stand in brackets.
	maxGoNesting = 1000
	// maxGoRun is how many tokens may follow each other without a comma or the end
	// of a statement.
	maxGoRun = 20_000
)

// goShape reads Go with its own parser; what stands before a syntax error, and
// often much after it, is still given.
func goShape(src []byte) Shape {
	if nestedTooDeep(src) {
		return approximate("Go", src, "it is nested too deep")
	}
	g := goFile{src: src, files: token.NewFileSet(), types: make(map[string]int)}
	parsed, err := parser.ParseFile(g.files, "", src, parser.SkipObjectResolution)
	shape := Shape{Language: "Go"}
	if err != nil {
		shape.SyntaxError = 1
		if list := (scanner.ErrorList)(nil); errors.As(err, &list) && len(list) > 0 {
			shape.SyntaxError = list[0].Pos.Line
		}
	}
	if parsed == nil || err != nil && len(parsed.Decls) == 0 {
		// The parser gives up on a file that begins badly.
		line := shape.SyntaxError
		shape = approximate("Go", src, "it has a syntax error")
		shape.SyntaxError = line
		return shape
	}
	if parsed.Name != nil {
		shape.Package = oneLine(parsed.Name.Name)
	}
	for _, decl := range parsed.Decls {
		if gen, ok := decl.(*ast.GenDecl); ok {
			shape.Symbols = g.declare(shape.Symbols, gen)
		}
	}
	for _, decl := range parsed.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok {
			shape.Symbols = g.place(shape.Symbols, fn)
		}
	}
	shape.Symbols = tidied(shape.Symbols, src)
	return shape
}

// nestedTooDeep looks for brackets in brackets, and for what goes deep without any,
// such as pointers to pointers and labels of labels: long runs without a comma or
// a statement's end.
func nestedTooDeep(src []byte) bool {
	var s scanner.Scanner
	files := token.NewFileSet()
	s.Init(files.AddFile("", files.Base(), len(src)), src, func(token.Position, string) {}, 0)
	runs, all := []int{0}, 0 // the tokens of each level's run, and of all levels together
	for len(runs) <= maxGoNesting && all <= maxGoRun {
		last := len(runs) - 1
		switch _, found, _ := s.Scan(); found {
		case token.EOF:
			return false
		case token.LPAREN, token.LBRACK, token.LBRACE:
			runs[last]++
			all++
			runs = append(runs, 0)
		case token.RPAREN, token.RBRACK, token.RBRACE:
			if last > 0 {
				all -= runs[last]
				runs = runs[:last]
			}
		case token.COMMA, token.SEMICOLON:
			all -= runs[last]
			runs[last] = 0
		default:
			runs[last]++
			all++
		}
	}
	return true
}

type goFile struct {
	src   []byte
	files *token.FileSet
	types map[string]int // name → place among the symbols
}

func (g goFile) declare(symbols []Symbol, gen *ast.GenDecl) []Symbol {
	for _, spec := range gen.Specs {
		if t, ok := spec.(*ast.TypeSpec); ok && t.Name != nil && t.Name.Name != "_" {
			g.types[t.Name.Name] = len(symbols)
			symbols = append(symbols, g.typeSymbol(t))
		}
	}
	return symbols
}

func (g goFile) typeSymbol(t *ast.TypeSpec) Symbol {
	s := Symbol{Kind: kindType, Name: t.Name.Name, Line: g.line(t.Pos()), Public: t.Name.IsExported()}
	end := t.End()
	switch body := t.Type.(type) {
	case *ast.StructType:
		end = body.Struct + token.Pos(len("struct"))
		s.Bases = g.embedded(body.Fields)
	case *ast.InterfaceType:
		end = body.Interface + token.Pos(len("interface"))
		s.Bases = g.embedded(body.Methods)
		s.Members = g.interfaceMethods(body.Methods)
	}
	s.Signature = signature("type " + g.text(t.Pos(), end))
	return s
}

// embedded lists what a struct or an interface is made from.
func (g goFile) embedded(fields *ast.FieldList) []string {
	var bases []string
	if fields == nil {
		return nil
	}
	for _, f := range fields.List {
		if len(f.Names) > 0 || f.Type == nil {
			continue
		}
		switch f.Type.(type) {
		case *ast.Ident, *ast.SelectorExpr, *ast.StarExpr, *ast.IndexExpr, *ast.IndexListExpr:
			bases = append(bases, signature(g.text(f.Type.Pos(), f.Type.End())))
		}
	}
	return bases
}

func (g goFile) interfaceMethods(fields *ast.FieldList) []Symbol {
	var methods []Symbol
	if fields == nil {
		return nil
	}
	for _, f := range fields.List {
		if _, ok := f.Type.(*ast.FuncType); !ok {
			continue
		}
		for _, name := range f.Names {
			methods = append(methods, Symbol{
				Kind: kindMethod, Name: name.Name, Line: g.line(name.Pos()), Public: name.IsExported(),
				Signature: signature(g.text(f.Pos(), f.End())),
			})
		}
	}
	return methods
}

// place puts a method below its type when the type is in this file; the method
// of a type that is not carries the type in its name.
func (g goFile) place(symbols []Symbol, fn *ast.FuncDecl) []Symbol {
	if fn.Name == nil || fn.Type == nil {
		return symbols
	}
	end := fn.Type.End()
	if fn.Body != nil && fn.Body.Lbrace.IsValid() && fn.Body.Lbrace > fn.Pos() {
		end = fn.Body.Lbrace
	}
	s := Symbol{
		Kind: kindFunction, Name: fn.Name.Name, Line: g.line(fn.Pos()), Public: fn.Name.IsExported(),
		Signature: signature(g.text(fn.Pos(), end)),
	}
	if fn.Recv == nil {
		return append(symbols, s)
	}
	s.Kind = kindMethod
	receiver := receiverName(fn.Recv)
	if i, ok := g.types[receiver]; ok {
		symbols[i].Members = append(symbols[i].Members, s)
		return symbols
	}
	s.Name = receiver + "." + s.Name
	return append(symbols, s)
}

func receiverName(recv *ast.FieldList) string {
	if len(recv.List) == 0 {
		return ""
	}
	expr := recv.List[0].Type
	for {
		switch e := expr.(type) {
		case *ast.StarExpr:
			expr = e.X
		case *ast.ParenExpr:
			expr = e.X
		case *ast.IndexExpr:
			expr = e.X
		case *ast.IndexListExpr:
			expr = e.X
		case *ast.Ident:
			return e.Name
		default:
			return ""
		}
	}
}

func (g goFile) line(pos token.Pos) int { return g.files.PositionFor(pos, false).Line }

// text is the source between two places. After a syntax error they may lie
// anywhere.
func (g goFile) text(from, to token.Pos) string {
	file := g.files.File(from)
	if file == nil {
		return ""
	}
	start, end := int(from)-file.Base(), int(to)-file.Base()
	if start < 0 || start > len(g.src) || end < start {
		return ""
	}
	return string(bytes.TrimSpace(g.src[start:min(end, len(g.src))]))
}
